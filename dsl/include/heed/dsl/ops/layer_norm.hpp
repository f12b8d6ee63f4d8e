#pragma once
/// \file
/// layer_norm(x, gain, bias): rows of mean 0 and variance 1, scaled and shifted (Ba et al. 2016,
/// arXiv:1607.06450).

#include <heed/dsl/ops/norm.hpp>

namespace heed {

/// y[…, j] = (x[…, j] - μ) / √(σ² + epsilon) · gain[j] + bias[j] with μ = mean_j x and σ² = mean_j (x - μ)².
/// x (…, n), gain (n), bias (n) -> (…, n). f16, bf16 and f32 mix; y has the type of x and is computed in f32.
/// Derivative, with z = (x - μ) / √(σ² + epsilon) and g = dy · gain: dx = (g - mean_j g - z · mean_j (g z)) /
/// √(σ² + epsilon); dgain = Σ dy · z and dbias = Σ dy over all rows.
/// Errors: no axes; no floating type; a gain or bias that is not (n) or whose type does not
/// mix; epsilon below 0.
constexpr tensor layer_norm(const tensor &x, const tensor &gain, const tensor &bias, double epsilon = 1e-5,
                            location where = {}) {
  return detail::norm(spec::op::layer_norm, "layer_norm", {x, gain, bias}, epsilon, where);
}

/// The same without a bias, and without both.
constexpr tensor layer_norm(const tensor &x, const tensor &gain, double epsilon = 1e-5, location where = {}) {
  return detail::norm(spec::op::layer_norm, "layer_norm", {x, gain}, epsilon, where);
}
constexpr tensor layer_norm(const tensor &x, double epsilon = 1e-5, location where = {}) {
  return detail::norm(spec::op::layer_norm, "layer_norm", {x}, epsilon, where);
}

} // namespace heed
