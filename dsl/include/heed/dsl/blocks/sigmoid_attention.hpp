#pragma once
/// \file
/// sigmoid_attention(q, k, v, {…}): attention whose weights are independent of each other (Ramapuram et al.
/// 2024, arXiv:2409.04431).

#include <heed/dsl/ops/attention.hpp>

namespace heed {

struct sigmoid_attention_options {
  std::optional<double> scale = {}; ///< 1 / sqrt(depth) if not given
  detail::operand bias = 0;         ///< a number or a tensor that broadcasts; the paper takes -log(keys)
  detail::mask_option mask = {};    ///< a mask function or a tensor; a hidden key has weight 0
};

/// y = sigmoid(mask(q kᵀ · scale + bias)) v. Shapes, heads and errors as for attention; a row without visible
/// keys gives zeros.
constexpr tensor sigmoid_attention(const tensor &q, const tensor &k, const tensor &v,
                                   const sigmoid_attention_options &options = {}, location where = {}) {
  constexpr const char *word = "sigmoid_attention";
  detail::builder *const owner = detail::begin(word, where, {q, k, v});
  if (owner == nullptr || !detail::check_attention(owner, word, q, k, v, options.scale, where))
    return {};
  tensor scores = detail::attention_scores(word, q, k, {.scale = options.scale}, where);
  const detail::operand &bias = options.bias;
  if (!owner->failed() && !(bias.is_number && bias.number == 0))
    scores = detail::operand(scores, where) + bias;
  const tensor weights = sigmoid(options.mask.apply(scores, where), where);
  return owner->failed() ? tensor() : matmul(weights, detail::share_heads(q, word, "v", v, where), where);
}

} // namespace heed
