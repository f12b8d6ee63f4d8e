#pragma once
/// \file
/// Multi-head attention with its four projections (Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2).

#include <heed/dsl/blocks/multi_head_weights.hpp>
#include <heed/dsl/ops/append.hpp>
#include <heed/dsl/ops/attention.hpp>
#include <heed/dsl/ops/linear.hpp>
#include <heed/dsl/ops/merge_heads.hpp>
#include <heed/dsl/ops/rms_norm.hpp>
#include <heed/dsl/ops/split_heads.hpp>

namespace heed::blocks {

/// Keys (b, g, n, d) and values (b, g, n, e) of all heads.
struct key_values {
  tensor keys, values;
};

/// Output (b, m, out), and the weights (b, h, m, n) that the values were multiplied by: an output of the
/// kernel, or nothing that is computed.
struct attended {
  tensor output, weights;
};

namespace detail {

constexpr tensor project(const tensor &x, const tensor &weight, const tensor &bias, location where) {
  return bias.owner() == nullptr ? linear(x, weight, where) : linear(x, weight, bias, where);
}

/// Heads of queries or keys, normalized and turned.
constexpr tensor prepare(tensor heads, const tensor &norm, const multi_head_weights &w, location where) {
  if (norm.owner() != nullptr)
    heads = rms_norm(heads, norm, w.epsilon, where);
  const rotary_tables &by = w.rotary;
  if (by.cos.owner() == nullptr)
    return heads;
  return by.position_ids.owner() == nullptr
             ? rotary(heads, by.cos, by.sin, by.options, where)
             : rotary(heads, by.cos, by.sin, by.position_ids, by.options, where);
}

} // namespace detail

/// What queries attend to: keys from `keys` (b, n, context_width), values from `values`, which may be the
/// same. Errors: those of linear.
constexpr key_values project_keys(const tensor &keys, const tensor &values, const multi_head_weights &w,
                                  location where = {}) {
  const tensor k = split_heads(detail::project(keys, w.w_k, w.b_k, where), w.key_heads, where);
  return {detail::prepare(k, w.k_norm_weight, w, where),
          split_heads(detail::project(values, w.w_v, w.b_v, where), w.key_heads, where)};
}
constexpr key_values project_keys(const tensor &context, const multi_head_weights &w, location where = {}) {
  return project_keys(context, context, w, where);
}

/// Caches, which are states (b, g, capacity, d) and (b, g, capacity, e), with new rows from `position` on.
/// Errors: those of append.
constexpr key_values append(const key_values &caches, const key_values &rows, const tensor &position,
                            location where = {}) {
  return {heed::append(caches.keys, rows.keys, position, 2, where),
          heed::append(caches.values, rows.values, position, 2, where)};
}

/// attention(queries · w_q, keys, values, options) · w_o. queries (b, m, width). Errors: those of linear and
/// attention.
constexpr attended cross_attention(const tensor &queries, const key_values &to, const multi_head_weights &w,
                                   const attention_options &options = {}, location where = {}) {
  const tensor q = split_heads(detail::project(queries, w.w_q, w.b_q, where), w.heads, where);
  const weighted_values heads = attention_with_weights(detail::prepare(q, w.q_norm_weight, w, where), to.keys,
                                                       to.values, options, where);
  return {detail::project(merge_heads(heads.output, where), w.w_o, w.b_o, where), heads.weights};
}

/// Keys and values from `context` (b, n, context_width).
constexpr attended cross_attention(const tensor &queries, const tensor &context, const multi_head_weights &w,
                                   const attention_options &options = {}, location where = {}) {
  return cross_attention(queries, project_keys(context, w, where), w, options, where);
}

/// Queries, keys and values from x (b, n, width).
constexpr attended multi_head_attention(const tensor &x, const multi_head_weights &w,
                                        const attention_options &options = {}, location where = {}) {
  return cross_attention(x, x, w, options, where);
}

} // namespace heed::blocks
