#pragma once
/// \file
/// merge_heads(x): heads and depth become one axis, the inverse of split_heads.

#include <heed/dsl/tensor.hpp>

namespace heed {

/// y[b, s, h · depth + d] = x[b, h, s, d].  (b, heads, s, depth) -> (b, s, heads · depth)
/// Errors: not four axes.
constexpr tensor merge_heads(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("merge_heads", where, {x});
  if (owner == nullptr)
    return {};
  const detail::shape from = x.shape();
  if (from.rank != 4) {
    owner->fail(where, "merge_heads: x is ", from, ", four axes (batch, heads, tokens, depth) are needed");
    return {};
  }
  const extent width = owner->user_extent(from.axes[1]) * owner->user_extent(from.axes[3]);
  detail::shape result;
  result.push(from.axes[0]);
  result.push(from.axes[2]);
  result.push(owner->intern(width, "merge_heads", where));
  return owner->failed() ? tensor()
                         : detail::make(owner, spec::op::merge_heads, x.type(), result, {x}, where);
}

} // namespace heed
