#pragma once
/// \file
/// concat(a, b, axis): one tensor after the other, such as a cache and the new keys.

#include <heed/dsl/ops/tabulate.hpp>

#include <optional>

namespace heed {
namespace detail {

/// The checked axis, counted from the left; -1 after a fault.
constexpr int concat_axis(builder *owner, const tensor &a, const tensor &b, int axis, location where) {
  const int from_left = axis < 0 ? axis + a.rank() : axis;
  bool fits = a.rank() == b.rank() && from_left >= 0 && from_left < a.rank();
  for (int i = 0; fits && i < a.rank(); ++i)
    fits = i == from_left || a.data().shape[i] == b.data().shape[i];
  if (!fits)
    owner->fail(where, "concat: a is ", a.shape(), ", b is ", b.shape(), ", shapes that differ only on axis ",
                axis, " are needed");
  else if (a.type() != b.type())
    owner->fail(where, "concat: a is ", a.type(), ", b is ", b.type(), ", one element type is needed");
  return owner->failed() ? -1 : from_left;
}

/// The element at as many of the indices as the tensor has axes.
constexpr scalar element_at(const tensor &x, const scalar_operand (&at)[spec::max_rank], location where) {
  scalar_operand used[spec::max_rank];
  for (int i = 0; i < x.rank(); ++i)
    used[i] = at[i];
  return x(used[0], used[1], used[2], used[3], used[4], used[5], where);
}

} // namespace detail

/// y is a where the position along the axis is below a's extent there, then b. (…, m, …), (…, n, …) ->
/// (…, m + n, …); axes count from the left, or from the right as -1, -2, …. Where m or n is no number, the
/// sum has no name of its own: the caller gives it, concat(past, fresh, 2, extent("keys")), and the arguments
/// of a call make it true.
/// Errors: shapes that differ elsewhere, or types; an axis that does not exist; an extent that is no number
/// without a sum.
constexpr tensor concat(const tensor &a, const tensor &b, int axis, std::optional<extent> sum = {},
                        location where = {}) {
  detail::builder *const owner = detail::begin("concat", where, {a, b});
  const int along = owner == nullptr ? -1 : detail::concat_axis(owner, a, b, axis, where);
  if (along < 0)
    return {};
  const extent m = a.size(along), n = b.size(along);
  if (!sum && !(m.is_number() && n.is_number()))
    owner->fail(where, "concat: a is ", a.shape(), ", b is ", b.shape(),
                ", numbers are needed for the sum on axis ", axis,
                "; name it, as in concat(a, b, axis, extent(name))");
  if (owner->failed())
    return {};
  detail::shape result = a.shape();
  result.axes[along] = owner->intern(sum ? *sum : extent(m.number() + n.number()), "concat", where);
  return detail::tabulate(
      owner, a.type(), result,
      [&](auto... positions) {
        scalar_operand at[spec::max_rank] = {{positions, where}...};
        const scalar i = at[along].from;
        at[along] = {min(i, m), where};
        const scalar first = detail::element_at(a, at, where);
        at[along] = {i - m, where};
        return select(i < m, first, detail::element_at(b, at, where));
      },
      where);
}

} // namespace heed
