#pragma once
/// \file
/// split_heads(x, heads): one axis of all heads becomes an axis of heads and an axis of depth.

#include <heed/dsl/tensor.hpp>

namespace heed {

/// y[b, h, s, d] = x[b, s, h · depth + d], where depth = width / heads.  (b, s, width) -> (b, heads, s,
/// depth) Errors: not three axes; a width that the heads do not divide. Symbolic extents are divided in the
/// call.
constexpr tensor split_heads(const tensor &x, const extent &heads, location where = {}) {
  detail::builder *const owner = detail::begin("split_heads", where, {x});
  if (owner == nullptr)
    return {};
  const detail::shape from = x.shape();
  if (from.rank != 3) {
    owner->fail(where, "split_heads: x is ", from, ", three axes (batch, tokens, width) are needed");
    return {};
  }
  const extent width = owner->user_extent(from.axes[2]), depth = width / heads;
  const std::int16_t head_axis = owner->intern(heads, "split_heads", where);
  if (depth.factor_count() == 0 && depth.denominator() != 1)
    owner->fail(where, "split_heads: x is ", from, ", ", width, " does not divide by ", heads,
                " heads, a multiple is needed");
  detail::shape result;
  result.push(from.axes[0]);
  result.push(head_axis);
  result.push(from.axes[1]);
  result.push(owner->intern(depth, "split_heads", where));
  return owner->failed() ? tensor()
                         : detail::make(owner, spec::op::split_heads, x.type(), result, {x}, where);
}

} // namespace heed
