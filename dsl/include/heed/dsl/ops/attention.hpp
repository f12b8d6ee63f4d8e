#pragma once
/// \file
/// attention(q, k, v, {…}): the short form of scaled dot-product attention. It only calls other operations.

#include <heed/dsl/blocks/merge.hpp>
#include <heed/dsl/ops/attention_options.hpp>
#include <heed/dsl/ops/log_sum_exp.hpp>
#include <heed/dsl/ops/matmul.hpp>
#include <heed/dsl/ops/repeat_heads.hpp>
#include <heed/dsl/ops/transpose.hpp>

namespace heed {
namespace detail {

constexpr bool check_attention(builder *owner, const char *word, const tensor &q, const tensor &k,
                               const tensor &v, const std::optional<double> &scale, location where) {
  for (const tensor &operand : {q, k, v})
    if (operand.rank() != 4)
      owner->fail(where, word, ": q is ", q.shape(), ", k is ", k.shape(), ", v is ", v.shape(),
                  ", four axes (batch, heads, tokens, depth) are needed");
  if (owner->failed())
    return false;
  const extent depth = q.size(-1);
  if (!scale && !depth.is_number())
    owner->fail(where, word, ": q is ", q.shape(), ", its depth ", depth,
                " is symbolic, a number is needed for the default scale; give .scale");
  return !owner->failed();
}

/// k or v with as many heads as q: each of its heads serves a group of q's.
constexpr tensor share_heads(const tensor &q, const char *word, const char *operand, const tensor &x,
                             location where) {
  builder *const owner = q.owner();
  const std::int16_t queries = q.data().shape[1], heads = x.data().shape[1];
  if (queries == heads || owner->is_one(queries) || owner->is_one(heads))
    return x;
  const extent group = owner->user_extent(queries) / owner->user_extent(heads);
  if (group.is_number())
    return repeat_heads(x, group, where);
  owner->fail(where, word, ": q is ", q.shape(), ", ", operand, " is ", x.shape(), ", ",
              owner->user_extent(queries), " heads of q do not divide by ", owner->user_extent(heads),
              ", a multiple is needed");
  return {};
}

/// The scores after scale, score_mod and mask; an empty tensor after a fault.
constexpr tensor attention_scores(const char *word, const tensor &q, const tensor &k,
                                  const attention_options &options, location where) {
  const tensor shared = share_heads(q, word, "k", k, where);
  const double scale = options.scale ? *options.scale : 1 / sqrt(q.size(-1));
  const tensor products = matmul(q, transpose(shared, where), where);
  const tensor scores = operand(products, where) * operand(scale, where);
  return options.mask.apply(options.score_mod.apply(scores, where), where);
}

/// The weights: softmax and dropout of the scores.
constexpr tensor attention_weights(const tensor &scores, const attention_options &options, location where) {
  const tensor weights = softmax(scores, {.sink = options.sink}, where);
  const dropout_options &dropout = options.dropout;
  if (dropout.seed.owner() == nullptr && dropout.p.is_number && dropout.p.number == 0)
    return weights;
  return heed::dropout(weights, dropout.p, dropout.seed, where);
}

/// The weights times v.
constexpr tensor attend(const char *word, const tensor &q, const tensor &scores, const tensor &v,
                        const attention_options &options, location where) {
  return matmul(attention_weights(scores, options, where), share_heads(q, word, "v", v, where), where);
}

} // namespace detail

/// y = dropout(softmax(mask(score_mod(q kᵀ · scale)), sink)) v.
/// q (b, h, m, d), k (b, g, n, d), v (b, g, n, e) -> (b, h, m, e); batch broadcasts. Each of the g heads of k
/// and v serves h / g neighbouring heads of q.
/// Errors: those of matmul and of the steps; a symbolic depth without a scale; heads that do not divide.
constexpr tensor attention(const tensor &q, const tensor &k, const tensor &v,
                           const attention_options &options = {}, location where = {}) {
  detail::builder *const owner = detail::begin("attention", where, {q, k, v});
  if (owner == nullptr || !detail::check_attention(owner, "attention", q, k, v, options.scale, where))
    return {};
  const tensor scores = detail::attention_scores("attention", q, k, options, where);
  return owner->failed() ? tensor() : detail::attend("attention", q, scores, v, options, where);
}

/// What attention_with_weights gives: output (b, h, m, e), weights (b, h, m, n).
struct weighted_values {
  tensor output, weights;
};

/// attention and its weights, after dropout: those that the values were multiplied by. They are computed
/// only if the kernel puts them out. Errors: those of attention.
constexpr weighted_values attention_with_weights(const tensor &q, const tensor &k, const tensor &v,
                                                 const attention_options &options = {}, location where = {}) {
  constexpr const char *word = "attention_with_weights";
  detail::builder *const owner = detail::begin(word, where, {q, k, v});
  if (owner == nullptr || !detail::check_attention(owner, word, q, k, v, options.scale, where))
    return {};
  const tensor scores = detail::attention_scores(word, q, k, options, where);
  if (owner->failed())
    return {};
  const tensor weights = detail::attention_weights(scores, options, where);
  return {matmul(weights, detail::share_heads(q, word, "v", v, where), where), weights};
}

/// attention and the log-sum-exp of its scores (with the sink, if there is one), as merge takes it.
/// Output (b, h, m, e), lse (b, h, m). Errors: those of attention.
constexpr attention_part partial_attention(const tensor &q, const tensor &k, const tensor &v,
                                           const attention_options &options = {}, location where = {}) {
  detail::builder *const owner = detail::begin("partial_attention", where, {q, k, v});
  if (owner == nullptr || !detail::check_attention(owner, "partial_attention", q, k, v, options.scale, where))
    return {};
  const tensor scores = detail::attention_scores("partial_attention", q, k, options, where);
  if (owner->failed())
    return {};
  return {detail::attend("partial_attention", q, scores, v, options, where),
          log_sum_exp(scores, {.sink = options.sink}, where)};
}

} // namespace heed
