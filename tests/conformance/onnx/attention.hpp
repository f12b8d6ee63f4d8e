#pragma once
/// \file
/// ONNX's Attention, opsets 23 to 25, in heed's words:
/// https://onnx.ai/onnx/operators/onnx__Attention.html

#include <heed/dsl.hpp>

namespace onnx {

using namespace heed;

/// Optional inputs that a node leaves out stay empty.
struct attention_inputs {
  tensor q, k, v;              ///< (b, h, s, d), or (b, s, h · d) with heads among the attributes
  tensor attn_mask;            ///< broadcast to (b, h, q, keys): b8, true is visible, or added to the scores
  tensor past_key, past_value; ///< (b, h, past, d): come before k and v
  tensor nonpad_kv_seqlen;     ///< (b): k and v are whole caches, of which so many tokens are valid
};

/// `softmax_precision` has no counterpart: weights are computed in f32 at least, whatever the element type.
struct attention_attributes {
  int q_num_heads = 0, kv_num_heads = 0; ///< of inputs with three axes
  double scale = 0;                      ///< 0: 1 / √d
  bool is_causal = false;
  double softcap = 0;                                ///< 0: none
  int left_window_size = -1, right_window_size = -1; ///< -1: no bound; since opset 25
  int qk_matmul_output_mode = 0;
};

struct attention_outputs {
  tensor y;
  tensor present_key, present_value;
  tensor qk_matmul_output; ///< mode 0: products, 1: after the soft cap, 2: after masks, 3: weights
};

namespace detail {

constexpr bool given(const tensor &x) { return x.owner() != nullptr; }

constexpr tensor by_head(const tensor &x, int heads) { return x.rank() == 3 ? split_heads(x, heads) : x; }

/// The element of a mask at a position of the scores: axes are matched from the right, an extent of 1 is
/// repeated, and keys beyond a short mask read its last one.
constexpr scalar mask_element(const tensor &mask, index b, index h, index q, index k) {
  const scalar positions[] = {b, h, q, min(k, mask.size(-1))};
  scalar_operand at[4];
  for (int axis = 0; axis < mask.rank(); ++axis)
    at[axis] =
        mask.size(axis) == extent(1) ? scalar_operand(0) : scalar_operand(positions[4 - mask.rank() + axis]);
  return mask(at[0], at[1], at[2], at[3]);
}

/// A mask with fewer keys than the scores hides the others.
constexpr tensor apply_short_mask(const tensor &scores, const tensor &mask) {
  const extent shown = mask.size(-1);
  if (mask.type() == b8)
    return heed::mask(scores, [&](index b, index h, index q, index k) {
      return k < shown && mask_element(mask, b, h, q, k);
    });
  const tensor biased = score_mod(scores, [&](value s, index b, index h, index q, index k) {
    return s + mask_element(mask, b, h, q, k);
  });
  return heed::mask(biased, [&](index, index, index, index k) { return k < shown; });
}

constexpr tensor apply_mask(const tensor &scores, const tensor &mask) {
  if (!given(mask))
    return scores;
  if (!(mask.size(-1) == scores.size(-1)))
    return apply_short_mask(scores, mask);
  return mask.type() == b8 ? where(mask, scores, -infinity) : scores + mask;
}

/// Causality, window and padding. Query q stands at position q + offset among the keys: behind the past, or
/// at the end of the valid tokens of a cache.
constexpr tensor apply_positions(tensor scores, const attention_inputs &in, const attention_attributes &how) {
  const extent queries = scores.size(2);
  auto position = [&](index b, index q) -> scalar {
    if (given(in.nonpad_kv_seqlen))
      return q + in.nonpad_kv_seqlen[b] - queries;
    return given(in.past_key) ? q + in.past_key.size(2) : scalar(q);
  };
  if (how.is_causal)
    scores = mask(scores, [&](index b, index, index q, index k) { return k <= position(b, q); });
  if (how.left_window_size >= 0)
    scores = mask(
        scores, [&](index b, index, index q, index k) { return k >= position(b, q) - how.left_window_size; });
  if (how.right_window_size >= 0)
    scores = mask(scores, [&](index b, index, index q, index k) {
      return k <= position(b, q) + how.right_window_size;
    });
  if (given(in.nonpad_kv_seqlen))
    scores = mask(scores, [&](index b, index, index, index k) { return k < in.nonpad_kv_seqlen[b]; });
  return scores;
}

} // namespace detail

/// ONNX multiplies q and k by √scale each, so that products of f16 do not overflow; heed's products are f32
/// at least, so one factor after the product is enough.
constexpr attention_outputs attention(const attention_inputs &in, const attention_attributes &how) {
  const tensor q = detail::by_head(in.q, how.q_num_heads);
  tensor k = detail::by_head(in.k, how.kv_num_heads), v = detail::by_head(in.v, how.kv_num_heads);
  if (detail::given(in.past_key)) {
    k = concat(in.past_key, k, 2);
    v = concat(in.past_value, v, 2);
  }
  const extent members = q.size(1) / k.size(1);
  const double scale = how.scale == 0 ? 1 / sqrt(q.size(-1)) : how.scale;
  const tensor products = matmul(q, transpose(repeat_heads(k, members))) * scale; // (b, h, q, keys)
  const tensor capped = how.softcap == 0 ? products : how.softcap * tanh(products / how.softcap);
  const tensor masked = detail::apply_positions(detail::apply_mask(capped, in.attn_mask), in, how);
  const tensor weights = softmax(masked);
  const tensor y = matmul(weights, repeat_heads(v, members)); // (b, h, q, e)
  const tensor steps[] = {products, capped, masked, weights};
  return {in.q.rank() == 3 ? merge_heads(y) : y, k, v, steps[how.qk_matmul_output_mode]};
}

} // namespace onnx
