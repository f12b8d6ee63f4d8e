#pragma once
/// \file
/// The feed-forward part of a layer: linear, activation, linear.

#include <heed/dsl/blocks/multi_head_attention.hpp>
#include <heed/dsl/ops/gelu.hpp>
#include <heed/dsl/ops/gelu_tanh.hpp>
#include <heed/dsl/ops/relu.hpp>
#include <heed/dsl/ops/silu.hpp>

namespace heed::blocks {

/// swiglu (Shazeer 2020, arXiv:2002.05202): silu(x · gate) · (x · linear1) in place of act(x · linear1).
enum class activation { relu, gelu, gelu_tanh, silu, swiglu };

struct feed_forward_weights {
  tensor linear1_weight, linear1_bias; ///< (ff, width), (ff)
  tensor gate_weight, gate_bias;       ///< as linear1; swiglu only
  tensor linear2_weight, linear2_bias; ///< (width, ff), (width)
};

/// Weights PREFIX_linear1_weight, _bias, for swiglu PREFIX_gate_weight, _bias, then linear2.
constexpr feed_forward_weights make_feed_forward_weights(const weight_source &source, activation act,
                                                         const extent &width, const extent &ff,
                                                         bool has_bias = true, location where = {}) {
  feed_forward_weights w;
  const auto project = [&](tensor &weight, tensor &bias, const char *part, const extent &to,
                           const extent &from) {
    weight = source.of(part)("weight", to, from, where);
    if (has_bias)
      bias = source.of(part)("bias", to, where);
  };
  project(w.linear1_weight, w.linear1_bias, "linear1", ff, width);
  if (act == activation::swiglu)
    project(w.gate_weight, w.gate_bias, "gate", ff, width);
  project(w.linear2_weight, w.linear2_bias, "linear2", width, ff);
  return w;
}

constexpr feed_forward_weights layer(const feed_forward_weights &packed, int i, location where = {}) {
  return {layer(packed.linear1_weight, i, where), layer(packed.linear1_bias, i, where),
          layer(packed.gate_weight, i, where),    layer(packed.gate_bias, i, where),
          layer(packed.linear2_weight, i, where), layer(packed.linear2_bias, i, where)};
}

namespace detail {

constexpr tensor activate(activation act, const tensor &x, location where) {
  switch (act) {
  case activation::relu:
    return relu(x, where);
  case activation::gelu:
    return gelu(x, where);
  case activation::gelu_tanh:
    return gelu_tanh(x, where);
  case activation::silu:
  case activation::swiglu:
    break;
  }
  return silu(x, where);
}

} // namespace detail

/// x (…, width) -> (…, width). Errors: those of linear.
constexpr tensor feed_forward(const tensor &x, const feed_forward_weights &w, activation act,
                              location where = {}) {
  tensor inner = detail::project(x, w.linear1_weight, w.linear1_bias, where);
  if (act == activation::swiglu) {
    const tensor gate = silu(detail::project(x, w.gate_weight, w.gate_bias, where), where);
    inner = heed::detail::operand(gate, where) * heed::detail::operand(inner, where);
  } else {
    inner = detail::activate(act, inner, where);
  }
  return detail::project(inner, w.linear2_weight, w.linear2_bias, where);
}

} // namespace heed::blocks
