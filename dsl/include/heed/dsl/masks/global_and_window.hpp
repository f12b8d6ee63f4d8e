#pragma once
/// \file
/// global_and_window(global, left, right): a window, and some tokens that everybody sees (Longformer, Beltagy
/// et al. 2020, arXiv:2004.05150; BigBird, Zaheer et al. 2020, arXiv:2007.14062).

#include <heed/dsl/masks/combine.hpp>
#include <heed/dsl/masks/sliding_window.hpp>

namespace heed {

/// Visible where q - left <= k <= q + right, or k < global, or q < global: the first `global` tokens are seen
/// by all and see all. With causal(), and_masks(causal(), global_and_window(4, 255, 0)) is the window with
/// attention sinks of StreamingLLM (Xiao et al. 2023, arXiv:2309.17453).
constexpr auto global_and_window(std::int64_t global, std::int64_t left, std::int64_t right) {
  return or_masks(sliding_window(left, right),
                  [=](index, index, index q, index k) { return k < global || q < global; });
}

} // namespace heed
