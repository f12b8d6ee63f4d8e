#pragma once
/// \file
/// Integer arithmetic that stops at the largest value instead of wrapping.

#include <cstdint>
#include <limits>

namespace heed::runtime {

/// What every size too large for 64 bits becomes; no memory and no 32-bit limit admits it.
inline constexpr std::int64_t too_large = std::numeric_limits<std::int64_t>::max();

/// a · b for non-negative operands, at most too_large.
inline std::int64_t multiply(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? too_large : product;
}

/// a + b for non-negative operands, at most too_large.
inline std::int64_t add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? too_large : sum;
}

/// ⌈a / b⌉ for a >= 0, b > 0.
inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) noexcept { return a / b + (a % b != 0); }

} // namespace heed::runtime
