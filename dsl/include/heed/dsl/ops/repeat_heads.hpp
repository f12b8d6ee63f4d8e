#pragma once
/// \file
/// repeat_heads(x, count): every head several times in a row, for grouped queries.

#include <heed/dsl/tensor.hpp>

namespace heed {

/// y[b, i, s, d] = x[b, i / count, s, d]: heads 0, 1 become 0, 0, 1, 1 with count = 2, so that each key head
/// meets the query heads of its group. (b, h, s, d) -> (b, h · count, s, d). A view, no work.
/// Errors: not four axes; a count that is not at least 1.
constexpr tensor repeat_heads(const tensor &x, const extent &count, location where = {}) {
  detail::builder *const owner = detail::begin("repeat_heads", where, {x});
  if (owner == nullptr)
    return {};
  detail::shape result = x.shape();
  if (result.rank != 4) {
    owner->fail(where, "repeat_heads: x is ", result, ", four axes (batch, heads, tokens, depth) are needed");
    return {};
  }
  owner->intern(count, "repeat_heads", where);
  result.axes[1] = owner->intern(owner->user_extent(result.axes[1]) * count, "repeat_heads", where);
  return owner->failed() ? tensor()
                         : detail::make(owner, spec::op::repeat_heads, x.type(), result, {x}, where);
}

} // namespace heed
