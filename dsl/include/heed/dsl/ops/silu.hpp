#pragma once
/// \file
/// silu(x): the sigmoid linear unit, also called swish (Elfwing et al. 2017, arXiv:1702.03118).

#include <heed/dsl/ops/arithmetic.hpp>

namespace heed {

/// y = x · sigmoid(x) = x / (1 + e^-x), element by element, of floats.
/// Derivative, with s = sigmoid(x): dx = dy · s · (1 + x · (1 - s)).
/// Errors: no floating type.
constexpr tensor silu(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("silu", where, {x});
  if (owner == nullptr || !detail::accepts(owner, detail::type_rule::floating, "silu", x.type(), where))
    return {};
  return detail::operand(x, where) * detail::operand(sigmoid(x, where), where);
}

} // namespace heed
