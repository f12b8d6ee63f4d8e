#pragma once
/// \file
/// rms_norm(x, gain): rows divided by the root of their mean square, scaled (Zhang and Sennrich 2019,
/// arXiv:1910.07467).

#include <heed/dsl/ops/norm.hpp>

namespace heed {

/// y[…, j] = x[…, j] / √(mean_j x² + epsilon) · gain[j]. x (…, n), gain (n) -> (…, n).
/// Derivative, with r = √(mean_j x² + epsilon), z = x / r and g = dy · gain: dx = (g - z · mean_j (g z)) / r;
/// dgain = Σ dy · z over all rows.
/// Errors: no axes; no floating type; a gain that is not (n) or of another type; epsilon below 0.
constexpr tensor rms_norm(const tensor &x, const tensor &gain, double epsilon = 1e-6, location where = {}) {
  return detail::norm(spec::op::rms_norm, "rms_norm", {x, gain}, epsilon, where);
}

/// The same without a gain.
constexpr tensor rms_norm(const tensor &x, double epsilon = 1e-6, location where = {}) {
  return detail::norm(spec::op::rms_norm, "rms_norm", {x}, epsilon, where);
}

} // namespace heed
