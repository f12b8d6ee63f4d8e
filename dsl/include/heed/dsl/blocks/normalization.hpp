#pragma once
/// \file
/// The normalisation of a layer: which, and its weights.

#include <heed/dsl/blocks/weight_source.hpp>
#include <heed/dsl/ops/layer_norm.hpp>
#include <heed/dsl/ops/rms_norm.hpp>

namespace heed::blocks {

enum class norm_kind { layer_norm, rms_norm };

struct norm_weights {
  tensor weight, bias; ///< (width); rms_norm has no bias
};

/// Weights PREFIX_weight and, for layer_norm, PREFIX_bias, as PyTorch calls them.
constexpr norm_weights make_norm_weights(const weight_source &source, norm_kind kind, const extent &width,
                                         location where = {}) {
  norm_weights w;
  w.weight = source("weight", width, where);
  if (kind == norm_kind::layer_norm)
    w.bias = source("bias", width, where);
  return w;
}

constexpr norm_weights layer(const norm_weights &packed, int i, location where = {}) {
  return {layer(packed.weight, i, where), layer(packed.bias, i, where)};
}

/// layer_norm(x, weight, bias, epsilon), or rms_norm where there is no bias.
constexpr tensor normalize(const tensor &x, const norm_weights &w, double epsilon, location where = {}) {
  return w.bias.owner() == nullptr ? rms_norm(x, w.weight, epsilon, where)
                                   : layer_norm(x, w.weight, w.bias, epsilon, where);
}

} // namespace heed::blocks
