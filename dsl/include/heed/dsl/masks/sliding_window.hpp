#pragma once
/// \file
/// sliding_window(left, right): a query sees the keys around its own position.

#include <heed/dsl/program.hpp>

#include <cstdint>

namespace heed {

/// Visible where q - left <= k <= q + right, positions counted from the first token. sliding_window(255, 0)
/// is causal with 256 visible keys; sliding_window(0, 0) leaves each query its own key. A negative bound is
/// none.
constexpr auto sliding_window(std::int64_t left, std::int64_t right) {
  return [left, right](index, index, index q, index k) -> scalar_operand {
    if (left < 0 && right < 0)
      return true;
    if (left < 0)
      return k <= q + right;
    if (right < 0)
      return k >= q - left;
    return k >= q - left && k <= q + right;
  };
}

} // namespace heed
