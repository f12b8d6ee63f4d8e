#pragma once
/// \file
/// relu(x): what is below 0 becomes 0.

#include <heed/dsl/ops/elementwise.hpp>

namespace heed {

/// y = max(x, 0), element by element, of integers or floats; NaN stays NaN.
/// Derivative: dx = dy where x > 0, else 0.
/// Errors: b8.
constexpr tensor relu(const tensor &x, location where = {}) {
  return max(detail::operand(x, where), detail::operand(0, where));
}

} // namespace heed
