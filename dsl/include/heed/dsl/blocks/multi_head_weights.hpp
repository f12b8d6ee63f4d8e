#pragma once
/// \file
/// The projections of a multi-head block: their sizes, and their weights as arguments of the kernel.

#include <heed/dsl/blocks/rotary.hpp>
#include <heed/dsl/blocks/weight_source.hpp>

namespace heed::blocks {

/// By which queries and keys turn: the operands of rotary. position_ids may be empty.
struct rotary_tables {
  tensor cos, sin, position_ids;
  rotary_options options = {};
};

/// Only heads and width must be given; 0 stands for what the comment says.
struct multi_head_sizes {
  extent heads;
  extent width;             ///< of the queries' input
  extent context_width = 0; ///< of the keys' and values' input; 0: width
  extent depth = 0;         ///< of a head's queries and keys; 0: width / heads
  extent value_depth = 0;   ///< of a head's values; 0: depth
  extent key_heads = 0;     ///< heads of keys and values, each shared by a group of queries' heads; 0: heads
  extent out = 0;           ///< of the result; 0: width
  bool bias = true;         ///< of queries, keys and values
  bool out_bias = true;
  bool qk_norm = false;    ///< rms_norm of every head of queries and keys, before they turn
  double epsilon = 1e-6;   ///< of these norms
  bool for_queries = true; ///< make w_q and w_o; false where only keys and values are projected
  bool for_keys = true;    ///< make w_k and w_v; false where keys and values come projected
};

/// Linear weights are (out, in); an empty bias is none.
struct multi_head_weights {
  extent heads = 1, key_heads = 1;
  tensor w_q, b_q;                     ///< (heads · depth, width), (heads · depth)
  tensor w_k, b_k;                     ///< (key_heads · depth, context_width), …
  tensor w_v, b_v;                     ///< (key_heads · value_depth, context_width), …
  tensor w_o, b_o;                     ///< (out, heads · value_depth), (out)
  tensor q_norm_weight, k_norm_weight; ///< (depth); empty without qk_norm
  double epsilon = 0;                  ///< of these norms
  rotary_tables rotary;                ///< no weights: set them where positions turn
};

namespace detail {

constexpr bool is_zero(const extent &value) { return value.is_number() && value.number() == 0; }
constexpr extent either(const extent &value, const extent &otherwise) {
  return is_zero(value) ? otherwise : value;
}

} // namespace detail

/// Weights PREFIX_w_q, b_q, w_k, b_k, w_v, b_v, w_o, b_o, q_norm_weight, k_norm_weight in this order. Errors:
/// a width that the heads do not divide.
constexpr multi_head_weights make_multi_head_weights(const weight_source &source,
                                                     const multi_head_sizes &sizes, location where = {}) {
  using detail::either;
  const extent context = either(sizes.context_width, sizes.width), out = either(sizes.out, sizes.width);
  const extent depth = either(sizes.depth, sizes.width / sizes.heads);
  const extent value_depth = either(sizes.value_depth, depth);
  if (depth.factor_count() == 0 && depth.denominator() != 1)
    source.g.build().fail(where, "multi_head: the width is ", sizes.width, ", ", sizes.heads,
                          " heads do not divide it, a multiple is needed; or give .depth");
  multi_head_weights w;
  w.heads = sizes.heads;
  w.epsilon = sizes.epsilon;
  w.key_heads = either(sizes.key_heads, sizes.heads);
  const auto project = [&](tensor &weight, tensor &bias, const char *weight_name, const char *bias_name,
                           const extent &to, const extent &from, bool has_bias) {
    weight = source(weight_name, to, from, where);
    if (has_bias)
      bias = source(bias_name, to, where);
  };
  if (sizes.for_queries)
    project(w.w_q, w.b_q, "w_q", "b_q", sizes.heads * depth, sizes.width, sizes.bias);
  if (sizes.for_keys) {
    project(w.w_k, w.b_k, "w_k", "b_k", w.key_heads * depth, context, sizes.bias);
    project(w.w_v, w.b_v, "w_v", "b_v", w.key_heads * value_depth, context, sizes.bias);
  }
  if (sizes.for_queries)
    project(w.w_o, w.b_o, "w_o", "b_o", out, sizes.heads * value_depth, sizes.out_bias);
  if (sizes.qk_norm && sizes.for_queries)
    w.q_norm_weight = source("q_norm_weight", depth, where);
  if (sizes.qk_norm && sizes.for_keys)
    w.k_norm_weight = source("k_norm_weight", depth, where);
  return w;
}

/// Layer i of packed weights.
constexpr multi_head_weights layer(const multi_head_weights &packed, int i, location where = {}) {
  multi_head_weights w = packed;
  for (tensor multi_head_weights::*each :
       {&multi_head_weights::w_q, &multi_head_weights::b_q, &multi_head_weights::w_k,
        &multi_head_weights::b_k, &multi_head_weights::w_v, &multi_head_weights::b_v,
        &multi_head_weights::w_o, &multi_head_weights::b_o, &multi_head_weights::q_norm_weight,
        &multi_head_weights::k_norm_weight})
    w.*each = layer(packed.*each, i, where);
  return w;
}

} // namespace heed::blocks
