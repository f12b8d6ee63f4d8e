#pragma once
/// \file
/// Numbers of a spec: infinity, and a square root that constant expressions can use.

#include <heed/dsl/extent.hpp>

#include <limits>
#include <type_traits>

namespace heed {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

namespace detail {

/// a² - x, where a² is exact: Dekker's product, for a of moderate size.
constexpr double square_minus(double a, double x) {
  const double split = 134217729 * a, high = split - (split - a), low = a - high, square = a * a;
  return (square - x) + (((high * high - square) + 2 * high * low) + low * low);
}

/// Square root by Newton's iteration on an argument in [1, 4); the last step uses the exact residual, so that
/// the result is the rounded root.
constexpr double square_root(double x) {
  if (x < 0 || x != x)
    return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || x == infinity)
    return x;
  double scale = 1;
  for (; x >= 4; x /= 4)
    scale *= 2;
  for (; x < 1; x *= 4)
    scale /= 2;
  double root = x;
  for (double next = (root + x / root) / 2; next < root; next = (root + x / root) / 2)
    root = next;
  return (root - square_minus(root, x) / (2 * root)) * scale;
}

} // namespace detail

/// Square root of a number: `scores / sqrt(depth)`.
template <class number>
  requires std::is_arithmetic_v<number>
constexpr double sqrt(number x) {
  return detail::square_root(static_cast<double>(x));
}

/// Square root of an extent, such as q.size(-1). Of a symbolic one it is NaN, which every operation refuses.
constexpr double sqrt(const extent &x) {
  return x.is_number() ? detail::square_root(static_cast<double>(x.number()))
                       : std::numeric_limits<double>::quiet_NaN();
}

} // namespace heed
