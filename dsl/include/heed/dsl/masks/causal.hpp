#pragma once
/// \file
/// causal(): a query sees the keys up to its own position.

#include <heed/dsl/program.hpp>

namespace heed {

/// Visible where k <= q, both counted from the first token (the top-left corner when the lengths differ). For
/// queries that are the last tokens of the keys (bottom-right corner), write it with extents:
/// mask(scores, [](index, index, index q, index k) { return k <= q + keys - queries; }).
constexpr auto causal() {
  return [](index, index, index q, index k) { return k <= q; };
}

} // namespace heed
