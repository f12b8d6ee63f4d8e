#pragma once
/// \file
/// transpose(x): the last two axes exchanged.

#include <heed/dsl/tensor.hpp>

namespace heed {

/// y[…, j, i] = x[…, i, j].  (…, m, n) -> (…, n, m)
/// Errors: fewer than two axes.
constexpr tensor transpose(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("transpose", where, {x});
  if (owner == nullptr)
    return {};
  detail::shape result = x.shape();
  if (result.rank < 2) {
    owner->fail(where, "transpose: x is ", result, ", at least two axes are needed");
    return {};
  }
  const std::int16_t last = result.from_right(0);
  result.axes[result.rank - 1] = result.from_right(1);
  result.axes[result.rank - 2] = last;
  return detail::make(owner, spec::op::transpose, x.type(), result, {x}, where);
}

} // namespace heed
