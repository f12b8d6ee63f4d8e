#pragma once
/// \file
/// argmax(x): where the largest element along the last axis is.

#include <heed/dsl/ops/reduction.hpp>

namespace heed {

/// y[…] = the first j of which x[…, j] = max_j x[…, j], or of which x[…, j] is NaN if there is one. (…, k) ->
/// (…) of i32.
/// Derivative: 0 wherever there is one.
/// Errors: no axes; b8.
constexpr tensor argmax(const tensor &x, location where = {}) {
  return detail::reduction(spec::op::argmax, "argmax", x, dtype::i32, where);
}

} // namespace heed
