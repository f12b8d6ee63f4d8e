//===- StoreMatrices.h - Scores and weights that are read -------*- C++ -*-===//
///
/// \file
/// Scores and weights that something else than an attention reads (an output, a product that is not fused)
/// have to be stored. heed.scores writes them there, without another matrix on the way. Of a path that is
/// read at several places only the first value is computed from queries and keys; later ones are computed
/// from it, element by element.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_STOREMATRICES_H
#define HEED_TRANSFORMS_STOREMATRICES_H

#include "Transforms/BuildAttention.h"

namespace heed {

/// Scores that come from this product of queries and keys. Whatever has users must be read by them: dead
/// operations are gone.
void storeScores(ir::MatmulOp product);

/// The weights of a softmax and what comes from them, by the statistics of an attention.
void storeWeights(ir::SoftmaxOp softmax, const AttentionPlan &plan, ir::AttentionOp statistics);

} // namespace heed

#endif // HEED_TRANSFORMS_STOREMATRICES_H
