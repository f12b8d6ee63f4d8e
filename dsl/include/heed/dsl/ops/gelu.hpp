#pragma once
/// \file
/// gelu(x): the Gaussian error linear unit (Hendrycks and Gimpel 2016, arXiv:1606.08415).

#include <heed/dsl/ops/arithmetic.hpp>

namespace heed {

/// y = x · Φ(x) = x / 2 · (1 + erf(x / √2)), element by element, of floats.
/// Derivative: dx = dy · (Φ(x) + x · φ(x)) with φ(x) = e^(-x² / 2) / √(2π).
/// Errors: no floating type.
constexpr tensor gelu(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("gelu", where, {x});
  if (owner == nullptr || !detail::accepts(owner, detail::type_rule::floating, "gelu", x.type(), where))
    return {};
  const auto here = [&](const auto &of) { return detail::operand(of, where); };
  const tensor inside = erf(here(x) * here(0.70710678118654752440), where);
  return here(here(x) * here(0.5)) * here(here(inside) + here(1));
}

} // namespace heed
