#pragma once
/// \file
/// softmax(x): over the last axis.

#include <heed/dsl/tensor.hpp>

namespace heed {

/// y[…, k] = exp(x[…, k] - max) / Σ_j exp(x[…, j] - max). A row of only -infinity, and a row of no elements'
/// sum, gives zeros. The shape stays. Errors: no axes; not a floating type.
constexpr tensor softmax(const tensor &x, location where = {}) {
  detail::builder *const owner = detail::begin("softmax", where, {x});
  if (owner == nullptr)
    return {};
  if (x.rank() < 1)
    owner->fail(where, "softmax: x is a number, at least one axis is needed");
  else if (!detail::is_floating(x.type()))
    owner->fail(where, "softmax: the element type is ", x.type(), ", a floating type is needed");
  return owner->failed() ? tensor() : detail::make(owner, spec::op::softmax, x.type(), x.shape(), {x}, where);
}

} // namespace heed
