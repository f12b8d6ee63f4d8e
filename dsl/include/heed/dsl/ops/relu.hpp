#pragma once
/// \file
/// relu(x): what is below 0 becomes 0.

#include <heed/dsl/ops/elementwise.hpp>

namespace heed {

/// y = max(x, 0), element by element, of integers or floats; NaN stays NaN.
/// Derivative: dx = dy where x > 0, else 0.
/// Errors: b8.
constexpr tensor relu(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("relu", where, {x});
  if (owner == nullptr || !detail::accepts(owner, detail::type_rule::number, "relu", x.type(), where))
    return {};
  return max(detail::operand(x, where), detail::operand(0, where));
}

} // namespace heed
