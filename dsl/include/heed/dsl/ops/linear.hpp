#pragma once
/// \file
/// linear(x, weight[, bias]): x Wᵀ + b over the last axis.

#include <heed/dsl/tensor.hpp>

namespace heed {
namespace detail {

constexpr bool check_linear(builder *owner, const tensor &x, const tensor &weight, location where) {
  const shape in = x.shape(), w = weight.shape();
  if (in.rank < 1 || w.rank != 2)
    owner->fail(where, "linear: x is ", in, ", weight is ", w, ", a weight of shape (out, in) is needed");
  else if (!mixes(x.type(), weight.type()))
    owner->fail(where, "linear: x is ", x.type(), ", weight is ", weight.type(),
                ", one floating type is needed");
  else if (in.from_right(0) != w.axes[1])
    owner->fail(where, "linear: x is ", in, ", weight is ", w,
                ", the last axis of x must equal the last of weight",
                in.from_right(0) == w.axes[0] ? "; weights are (out, in), did you mean transpose(weight)?"
                                              : "; weights are (out, in)");
  return !owner->failed();
}

} // namespace detail

/// y[…, o] = Σ_i x[…, i] · weight[o, i].  (…, in), (out, in) -> (…, out)
/// f16, bf16 and f32 mix; y has the type of x, whatever that of the weight. Sums are f32, f64 of f64.
/// Errors: a weight that is not (out, in); extents that differ; types that do not mix.
constexpr tensor linear(const tensor &x, const tensor &weight, location where = {}) {
  detail::builder *const owner = detail::begin("linear", where, {x, weight});
  if (owner == nullptr || !detail::check_linear(owner, x, weight, where))
    return {};
  detail::shape result = x.shape();
  result.axes[result.rank - 1] = weight.shape().axes[0];
  return detail::make(owner, spec::op::linear, x.type(), result, {x, weight}, where);
}

/// y[…, o] = Σ_i x[…, i] · weight[o, i] + bias[o].  (…, in), (out, in), (out) -> (…, out)
/// Errors: as without bias; a bias that is not (out) or whose type does not mix.
constexpr tensor linear(const tensor &x, const tensor &weight, const tensor &bias, location where = {}) {
  detail::builder *const owner = detail::begin("linear", where, {x, weight, bias});
  if (owner == nullptr || !detail::check_linear(owner, x, weight, where))
    return {};
  const detail::shape w = weight.shape(), b = bias.shape();
  if (b.rank != 1 || b.axes[0] != w.axes[0])
    owner->fail(where, "linear: bias is ", b, ", weight is ", w, ", a bias of shape (",
                owner->user_extent(w.axes[0]), ") is needed");
  else if (!detail::mixes(bias.type(), x.type()))
    owner->fail(where, "linear: x is ", x.type(), ", bias is ", bias.type(), ", one floating type is needed");
  if (owner->failed())
    return {};
  detail::shape result = x.shape();
  result.axes[result.rank - 1] = w.axes[0];
  return detail::make(owner, spec::op::linear, x.type(), result, {x, weight, bias}, where);
}

} // namespace heed
