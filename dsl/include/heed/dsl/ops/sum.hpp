#pragma once
/// \file
/// sum(x): over the last axis.

#include <heed/dsl/ops/reduction.hpp>

namespace heed {

/// y[…] = Σ_j x[…, j], of x's type; 0 where there are no elements. (…, k) -> (…)
/// Derivative: dx[…, j] = dy[…].
/// Errors: no axes; b8.
constexpr tensor sum(const tensor &x, location where = {}) {
  return detail::reduction(spec::op::sum, "sum", x, x.type(), where);
}

} // namespace heed
