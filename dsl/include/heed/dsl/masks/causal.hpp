#pragma once
/// \file
/// causal(): a query sees the keys up to its own position.

#include <heed/dsl/masks/shifted.hpp>

namespace heed {

/// Visible where k <= q, both counted from the first token: the top-left corner when the lengths differ.
/// (Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3.)
constexpr auto causal() {
  return [](index, index, index q, index k) { return k <= q; };
}

/// Visible where k <= q + keys - queries: the queries are the last of the keys' tokens, the bottom-right
/// corner. The first queries see nothing where there are more queries than keys.
constexpr auto causal_bottom_right(const extent &queries, const extent &keys) {
  return [queries, keys](index, index, index q, index k) { return k <= q + keys - queries; };
}

/// Visible where k <= q + offset: query 0 is token `offset` of the keys, as with a cache of that length. The
/// offset is a number, an extent, a scalar argument or a tensor (batch). Errors: a tensor of another kind.
constexpr auto causal_from(detail::batch_number offset) { return shifted(causal(), offset); }

} // namespace heed
