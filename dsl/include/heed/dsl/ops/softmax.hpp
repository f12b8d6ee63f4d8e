#pragma once
/// \file
/// softmax(x): over the last axis.

#include <heed/dsl/tensor.hpp>

namespace heed {

struct softmax_options {
  tensor sink = {};           ///< (heads): one logit per head that only the denominator has
  bool nan_for_empty = false; ///< a row of only -infinity gives NaN instead of zeros
};

namespace detail {

/// Appends softmax or log_sum_exp, which have the same operands; `word` is what the user called.
constexpr tensor make_normalized(const char *word, spec::node node, const shape &result, const tensor &x,
                                 const tensor &sink, location where) {
  builder *const owner = sink.owner() == nullptr ? begin(word, where, {x}) : begin(word, where, {x, sink});
  if (owner == nullptr)
    return {};
  if (x.rank() < 1)
    owner->fail(where, word, ": x is a number, at least one axis is needed");
  else if (!is_floating(x.type()))
    owner->fail(where, word, ": the element type is ", x.type(), ", a floating type is needed");
  else if (sink.owner() != nullptr && x.rank() != 4)
    owner->fail(where, word, ": x is ", x.shape(), ", (batch, heads, queries, keys) is needed with a sink");
  else if (sink.owner() != nullptr && (sink.rank() != 1 || sink.shape().axes[0] != x.shape().axes[1]))
    owner->fail(where, word, ": the sink is ", sink.shape(), ", x is ", x.shape(), ", a sink of shape (",
                x.size(1), ") is needed, one number for each head");
  else if (sink.owner() != nullptr && !mixes(sink.type(), x.type()))
    owner->fail(where, word, ": x is ", x.type(), ", the sink is ", sink.type(),
                ", one floating type is needed");
  if (owner->failed())
    return {};
  node.type = node.kind == spec::op::log_sum_exp ? at_least_f32(x.type()) : x.type();
  node.operands[node.operand_count++] = x.node();
  if (sink.owner() != nullptr)
    node.operands[node.operand_count++] = sink.node();
  return {owner, owner->add(node, result, where)};
}

} // namespace detail

/// y[…, k] = exp(x[…, k] - max) / Σ_j exp(x[…, j] - max). A row of only -infinity, and a row of no elements'
/// sum, gives zeros, or NaN where that is asked for. The shape stays. With a sink s, scores (b, h, q, k) have
/// exp(s[h] - max) in the denominator as well, so that a row may add up to less than 1; it is never empty.
/// f16 and bf16 are computed in f32. Errors: no axes; not a floating type; a sink that is not (h) or whose
/// type does not mix.
constexpr tensor softmax(const tensor &x, const softmax_options &options = {}, location where = {}) {
  spec::node node;
  node.kind = spec::op::softmax;
  node.nan_for_empty = options.nan_for_empty;
  const detail::shape result = x.owner() == nullptr ? detail::shape() : x.shape();
  return detail::make_normalized("softmax", node, result, x, options.sink, where);
}

} // namespace heed
