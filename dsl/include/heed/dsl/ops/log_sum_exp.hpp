#pragma once
/// \file
/// log_sum_exp(x): the logarithm of softmax's denominator, over the last axis.

#include <heed/dsl/ops/softmax.hpp>

namespace heed {

struct log_sum_exp_options {
  tensor sink = {}; ///< (heads), as softmax has it
};

/// y[…] = log Σ_k exp(x[…, k]), computed from the greatest element so that nothing overflows. A row of only
/// -infinity, and one of no elements, gives -infinity. With a sink s, scores (b, h, q, k) have exp(s[h]) in
/// the sum. (…, k) -> (…), f32 of f16 and bf16.
/// Errors: those of softmax.
constexpr tensor log_sum_exp(const tensor &x, const log_sum_exp_options &options = {}, location where = {}) {
  spec::node node;
  node.kind = spec::op::log_sum_exp;
  detail::shape result = x.owner() == nullptr ? detail::shape() : x.shape();
  if (result.rank > 0)
    --result.rank;
  return detail::make_normalized("log_sum_exp", node, result, x, options.sink, where);
}

} // namespace heed
