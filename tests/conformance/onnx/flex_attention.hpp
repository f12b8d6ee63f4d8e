#pragma once
/// \file
/// ONNX's FlexAttention (preview, version 1) in heed's words, and the graphs that its cases pass as score_mod
/// and prob_mod: https://onnx.ai/onnx/operators/onnx_aionnxpreview_FlexAttention.html

#include <heed/dsl.hpp>

namespace onnx {

using namespace heed;

/// y = prob_mod(softmax(score_mod(scale · q kᵀ))) v. q (b, h, q, d), k (b, g, k, d), v (b, g, k, e), h a
/// multiple of g. Both functions take and return a tensor (b, h, q, k). A scale of 0 is 1 / √d.
template <class score_function, class prob_function>
constexpr tensor flex_attention(const tensor &q, const tensor &k, const tensor &v, double scale,
                                const score_function &change_scores, const prob_function &change_weights) {
  const extent members = q.size(1) / k.size(1);
  const tensor products =
      matmul(q, transpose(repeat_heads(k, members))) * (scale == 0 ? 1 / sqrt(q.size(-1)) : scale);
  return matmul(change_weights(softmax(change_scores(products))), repeat_heads(v, members));
}

constexpr auto unchanged() {
  return [](const tensor &x) { return x; };
}

constexpr auto add(double number) {
  return [number](const tensor &x) { return x + number; };
}

constexpr auto multiply(double number) {
  return [number](const tensor &x) { return x * number; };
}

constexpr auto soft_cap(double cap) {
  return [cap](const tensor &x) { return cap * tanh(x / cap); };
}

constexpr auto causal_mask() {
  return [](const tensor &scores) { return mask(scores, causal()); };
}

/// Adds how far the key lies before the query.
constexpr auto relative_positional() {
  return [](const tensor &scores) {
    return score_mod(scores, [](value s, index, index, index q, index k) { return s + (q - k); });
  };
}

} // namespace onnx
