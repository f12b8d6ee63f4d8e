#pragma once
/// \file
/// chunk<n>(x, axis): n equal parts of one axis.

#include <heed/dsl/ops/slice.hpp>

#include <array>

namespace heed {

/// The parts in order: `auto [q, k, v] = chunk<3>(linear(x, w), -1);`. (…, m, …) -> n times (…, m / n, …);
/// views, no work. A symbolic extent is divided in the call.
/// Errors: an axis that does not exist; an extent that n does not divide.
template <int n> constexpr std::array<tensor, n> chunk(const tensor &x, int axis, location where = {}) {
  static_assert(n >= 1, "chunk: the number of parts is less than 1, at least 1 is needed");
  std::array<tensor, n> parts;
  detail::builder *const owner = detail::begin("chunk", where, {x});
  if (owner == nullptr || detail::axis_from_left(owner, "chunk", x, axis, where) < 0)
    return parts;
  const extent whole = x.size(axis), length = whole / n;
  if (length.factor_count() == 0 && length.denominator() != 1)
    owner->fail(where, "chunk: axis ", axis, " of x ", x.shape(), " is ", whole, ", a multiple of ", n,
                " is needed for ", n, " equal parts; write slice for parts that differ");
  for (int i = 0; i < n && !owner->failed(); ++i)
    parts[i] = slice(x, axis, length * i, length, where);
  return parts;
}

} // namespace heed
