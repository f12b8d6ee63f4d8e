#pragma once
/// \file
/// dilated(window, stride): a sliding window with gaps (Longformer, Beltagy et al. 2020, arXiv:2004.05150).

#include <heed/dsl/program.hpp>

#include <cstdint>

namespace heed {

/// Visible where k = q + j · stride with |j| <= window: `window` keys to each side, every stride-th token.
/// dilated(window, 1) is sliding_window(window, window).
constexpr auto dilated(std::int64_t window, std::int64_t stride) {
  return
      [=](index, index, index q, index k) { return abs(k - q) <= window * stride && (k - q) % stride == 0; };
}

} // namespace heed
