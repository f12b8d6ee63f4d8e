#pragma once
/// \file
/// amax(x): the largest element along the last axis.

#include <heed/dsl/ops/reduction.hpp>

namespace heed {

/// y[…] = max_j x[…, j], NaN if one of them is; the lowest number of the type where there are no elements.
/// (…, k) -> (…)
/// Derivative: dx[…, j] = dy[…] where j = argmax(x)[…], else 0.
/// Errors: no axes; b8.
constexpr tensor amax(const tensor &x, location where = {}) {
  return detail::reduction(spec::op::amax, "amax", x, x.type(), where);
}

} // namespace heed
