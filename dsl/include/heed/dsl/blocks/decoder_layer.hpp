#pragma once
/// \file
/// A transformer's decoder layer: self-attention, cross-attention to the encoder's output, then the
/// feed-forward part (PyTorch's TransformerDecoderLayer).

#include <heed/dsl/blocks/layer_options.hpp>

namespace heed::blocks {

struct decoder_layer_weights {
  multi_head_weights self_attn;
  norm_weights norm1;
  multi_head_weights cross_attn;
  norm_weights norm2;
  feed_forward_weights ff;
  norm_weights norm3;
};

/// Weights PREFIX_self_attn_…, PREFIX_norm1_…, PREFIX_cross_attn_…, PREFIX_norm2_…, PREFIX_linear1_…,
/// PREFIX_linear2_…, PREFIX_norm3_….
constexpr decoder_layer_weights
make_decoder_layer_weights(const weight_source &source, const layer_options &options, location where = {}) {
  multi_head_sizes sizes = detail::sizes_of(options);
  decoder_layer_weights w;
  w.self_attn = make_multi_head_weights(source.of("self_attn"), sizes, where);
  w.norm1 = make_norm_weights(source.of("norm1"), options.norm, options.width, where);
  sizes.for_keys = !options.memory_is_projected;
  w.cross_attn = make_multi_head_weights(source.of("cross_attn"), sizes, where);
  w.norm2 = make_norm_weights(source.of("norm2"), options.norm, options.width, where);
  w.ff = make_feed_forward_weights(source, options.act, options.width, options.ff, options.bias, where);
  w.norm3 = make_norm_weights(source.of("norm3"), options.norm, options.width, where);
  return w;
}

constexpr decoder_layer_weights layer(const decoder_layer_weights &packed, int i, location where = {}) {
  return {layer(packed.self_attn, i, where),  layer(packed.norm1, i, where),
          layer(packed.cross_attn, i, where), layer(packed.norm2, i, where),
          layer(packed.ff, i, where),         layer(packed.norm3, i, where)};
}

/// What the layer computes: x (b, m, width), and the weights of both attentions (b, h, m, n).
struct decoded {
  tensor output, self_weights, cross_weights;
};

/// Caches of the self-attention, states (b, key_heads, capacity, depth), and the scalar argument that says
/// how many rows they hold already.
struct self_cache {
  key_values caches;
  tensor position;
};

/// x (b, m, width), memory: keys and values of the encoder's output, by project_keys. `self` and `cross` are
/// the masks, … of the two attentions. With `cache`, x are the tokens from cache.position on and attend to
/// the cache, whose mask must hide what it does not hold yet: shifted(causal(), position). Errors: those of
/// the operations.
constexpr decoded decoder_layer(const tensor &x, const key_values &memory, const decoder_layer_weights &w,
                                const layer_options &options, const attention_options &self = {},
                                const attention_options &cross = {}, const self_cache &cache = {},
                                location where = {}) {
  decoded result;
  const multi_head_weights self_attn = detail::self_weights(w.self_attn, options);
  const tensor looked_back = detail::residual(x, w.norm1, options, where, [&](const tensor &input) {
    key_values to = project_keys(input, self_attn, where);
    if (cache.position.owner() != nullptr)
      to = append(cache.caches, to, cache.position, where);
    const attended part = cross_attention(input, to, self_attn, self, where);
    result.self_weights = part.weights;
    return part.output;
  });
  const tensor looked_across =
      detail::residual(looked_back, w.norm2, options, where, [&](const tensor &input) {
        const attended part = cross_attention(input, memory, w.cross_attn, cross, where);
        result.cross_weights = part.weights;
        return part.output;
      });
  result.output = detail::residual(looked_across, w.norm3, options, where, [&](const tensor &input) {
    return feed_forward(input, w.ff, options.act, where);
  });
  return result;
}

/// The same with the encoder's output itself, memory (b, n, width).
constexpr decoded decoder_layer(const tensor &x, const tensor &memory, const decoder_layer_weights &w,
                                const layer_options &options, const attention_options &self = {},
                                const attention_options &cross = {}, location where = {}) {
  return decoder_layer(x, project_keys(memory, w.cross_attn, where), w, options, self, cross, {}, where);
}

} // namespace heed::blocks
