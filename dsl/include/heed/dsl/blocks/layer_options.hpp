#pragma once
/// \file
/// What the layers of encoders and decoders have in common.

#include <heed/dsl/blocks/feed_forward.hpp>
#include <heed/dsl/blocks/normalization.hpp>

namespace heed::blocks {

/// Post-norm (Vaswani et al. 2017): x = norm(x + part(x)). Pre-norm: x = x + part(norm(x)); the stack then
/// wants a normalisation after its last layer.
enum class norm_order { post, pre };

struct layer_options {
  extent heads;
  extent width;
  extent ff;
  activation act = activation::relu;
  norm_order order = norm_order::post;
  norm_kind norm = norm_kind::layer_norm;
  double epsilon = 1e-5;
  bool bias = true;                 ///< of all linear layers
  extent key_heads = 0;             ///< 0: heads
  bool memory_is_projected = false; ///< a decoder's cross-attention has no w_k and w_v
  bool qk_norm = false;             ///< rms_norm of the heads of queries and keys
  rotary_tables rotary = {};        ///< by which the self-attention's queries and keys turn
  dropout_options dropout = {};     ///< of what each part adds; the attentions' options have that of weights
};

namespace detail {

constexpr multi_head_sizes sizes_of(const layer_options &options) {
  return {.heads = options.heads,
          .width = options.width,
          .key_heads = options.key_heads,
          .bias = options.bias,
          .out_bias = options.bias,
          .qk_norm = options.qk_norm,
          .epsilon = options.epsilon};
}

/// The weights of the self-attention, whose heads turn.
constexpr multi_head_weights self_weights(multi_head_weights w, const layer_options &options) {
  w.rotary = options.rotary;
  return w;
}

constexpr bool drops(const dropout_options &dropout) {
  return dropout.seed.owner() != nullptr || !dropout.p.is_number || dropout.p.number != 0;
}

/// x + dropout(part(…)) with the normalisation before or after. `part` maps a tensor to a tensor.
template <class function>
constexpr tensor residual(const tensor &x, const norm_weights &norm, const layer_options &options,
                          location where, const function &part) {
  using heed::detail::operand;
  const bool post = options.order == norm_order::post;
  tensor change = part(post ? x : normalize(x, norm, options.epsilon, where));
  if (drops(options.dropout))
    change = dropout(change, options.dropout.p, options.dropout.seed, where);
  const tensor sum = operand(x, where) + operand(change, where);
  return post ? normalize(sum, norm, options.epsilon, where) : sum;
}

} // namespace detail
} // namespace heed::blocks
