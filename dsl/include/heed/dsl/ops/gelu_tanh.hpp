#pragma once
/// \file
/// gelu_tanh(x): gelu's approximation by tanh (Hendrycks and Gimpel 2016, arXiv:1606.08415).

#include <heed/dsl/ops/arithmetic.hpp>

namespace heed {

/// y = x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 · x³))), element by element, of floats; PyTorch's
/// gelu(approximate='tanh').
/// Derivative, with t the tanh: dx = dy / 2 · (1 + t + x · (1 - t²) · √(2/π) · (1 + 0.134145 · x²)).
/// Errors: no floating type.
constexpr tensor gelu_tanh(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("gelu_tanh", where, {x});
  if (owner == nullptr || !detail::accepts(owner, detail::type_rule::floating, "gelu_tanh", x.type(), where))
    return {};
  const auto here = [&](const auto &of) { return detail::operand(of, where); };
  const tensor square = here(x) * here(x);
  const tensor factor =
      here(here(square) * here(0.044715 * 0.79788456080286535588)) + here(0.79788456080286535588);
  const tensor inside = tanh(here(x) * here(factor), where);
  return here(here(x) * here(0.5)) * here(here(inside) + here(1));
}

} // namespace heed
