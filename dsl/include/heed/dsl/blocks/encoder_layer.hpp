#pragma once
/// \file
/// A transformer's encoder layer: self-attention, then the feed-forward part (PyTorch's
/// TransformerEncoderLayer).

#include <heed/dsl/blocks/layer_options.hpp>

namespace heed::blocks {

struct encoder_layer_weights {
  multi_head_weights self_attn;
  norm_weights norm1;
  feed_forward_weights ff;
  norm_weights norm2;
};

/// Weights PREFIX_self_attn_w_q, …, PREFIX_norm1_weight, PREFIX_norm1_bias, PREFIX_linear1_weight, …,
/// PREFIX_norm2_….
constexpr encoder_layer_weights
make_encoder_layer_weights(const weight_source &source, const layer_options &options, location where = {}) {
  encoder_layer_weights w;
  w.self_attn = make_multi_head_weights(source.of("self_attn"), detail::sizes_of(options), where);
  w.norm1 = make_norm_weights(source.of("norm1"), options.norm, options.width, where);
  w.ff = make_feed_forward_weights(source, options.act, options.width, options.ff, options.bias, where);
  w.norm2 = make_norm_weights(source.of("norm2"), options.norm, options.width, where);
  return w;
}

constexpr encoder_layer_weights layer(const encoder_layer_weights &packed, int i, location where = {}) {
  return {layer(packed.self_attn, i, where), layer(packed.norm1, i, where), layer(packed.ff, i, where),
          layer(packed.norm2, i, where)};
}

/// x (b, n, width) -> the same. `self` are mask, score function, … of the attention. Errors: those of the
/// operations.
constexpr tensor encoder_layer(const tensor &x, const encoder_layer_weights &w, const layer_options &options,
                               const attention_options &self = {}, location where = {}) {
  const multi_head_weights self_attn = detail::self_weights(w.self_attn, options);
  const tensor attended = detail::residual(x, w.norm1, options, where, [&](const tensor &input) {
    return multi_head_attention(input, self_attn, self, where).output;
  });
  return detail::residual(attended, w.norm2, options, where,
                          [&](const tensor &input) { return feed_forward(input, w.ff, options.act, where); });
}

} // namespace heed::blocks
