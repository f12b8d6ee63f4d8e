//===- FuseAttention.h - Find the attention in plain operations -*- C++ -*-===//
///
/// \file
/// matmul(q, transpose(k)) → anything element by element → softmax → matmul with v becomes one
/// heed.attention.
///
/// Users write the mathematics, and the mathematics has a matrix of queries × keys in the middle; only the
/// fused operation can run without storing it. Whatever lies between the first product and the softmax, in
/// any order and number (scales, biases, masks, score programs), moves into the operation's region; tensors
/// that it reads become captures. Scales of q, of k and of the raw scores become the `scale` attribute, where
/// they cost nothing. A score of −infinity becomes `visible = false`, which is what the mask analysis reads;
/// a finite fill stays in the score. What changes the weights after the softmax (dropout, factors, a program)
/// moves into the region `weighing`, if it multiplies a weight by something.
///
/// Nothing of this asks that the values' product is the only reader. Weights that are read elsewhere, and
/// log_sum_exp of the same scores, come from statistics that the attention produces on the way; scores and
/// weights are written by heed.scores (StoreMatrices.h) straight into what reads them. Weights without a
/// softmax, a function of the scores alone, become an attention that is `unnormalized`. repeat_heads of keys
/// and values is left out: the attention groups its heads.
///
/// Runs after canonicalization (constants at the right, views joined) and before elementwise fusion, which
/// would hide the words that it looks for. What stays gets the reason as a remark and as the attribute
/// `heed.not_fused`, on the softmax, the log_sum_exp or the product; it is right all the same, by the general
/// path.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_FUSEATTENTION_H
#define HEED_TRANSFORMS_FUSEATTENTION_H

#include "mlir/Pass/Pass.h"

namespace heed {

/// The attribute of an operation that holds why it was not fused.
inline constexpr llvm::StringLiteral notFusedAttr = "heed.not_fused";

std::unique_ptr<mlir::Pass> createFuseAttentionPass();

} // namespace heed

#endif // HEED_TRANSFORMS_FUSEATTENTION_H
