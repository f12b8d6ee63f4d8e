//===- BuildAttention.h - Fused forms from paths ----------------*- C++ -*-===//
///
/// \file
/// Builds heed.attention and heed.scores from what the fusion has found. They compute the scores again from
/// queries and keys, each as often as it is read: this is what saves the matrix.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_BUILDATTENTION_H
#define HEED_TRANSFORMS_BUILDATTENTION_H

#include "Transforms/AttentionRegions.h"

namespace heed {

/// The attention whose weights come by a softmax from the scores at the end of a path.
struct AttentionPlan {
  const ElementPath &scores;
  mlir::Value sink = {}; ///< may be null
  bool nanForEmpty = false;
};

/// An attention that produces statistics only.
ir::AttentionOp buildStatistics(mlir::OpBuilder &builder, mlir::Location location, const AttentionPlan &plan,
                                llvm::ArrayRef<llvm::StringRef> produces);

/// An attention that takes the place of a product of weights and values; `weights` is the path from the
/// softmax. Null if an operation on it is no multiple of the weight: then it is in `changer`.
ir::AttentionOp buildAttention(mlir::OpBuilder &builder, mlir::Location location, const AttentionPlan &plan,
                               const ElementPath &weights, mlir::Value values, mlir::Operation *&changer);

/// An attention without a softmax: the weights are the scores.
ir::AttentionOp buildUnnormalized(mlir::OpBuilder &builder, mlir::Location location,
                                  const ElementPath &weights, mlir::Value values);

/// The same attention, which produces these statistics too; takes the place of `attention`.
ir::AttentionOp produceAlso(ir::AttentionOp attention, llvm::ArrayRef<llvm::StringRef> names);

/// The scores at the end of a path, written out.
ir::ScoresOp buildScores(mlir::OpBuilder &builder, const ElementPath &scores);

/// The weights at the end of a path from the softmax, written out with the statistics of an attention. Null
/// if an operation on the path changes a weight of 0.
ir::ScoresOp buildWeights(mlir::OpBuilder &builder, const AttentionPlan &plan, const ElementPath &weights,
                          ir::AttentionOp statistics);

} // namespace heed

#endif // HEED_TRANSFORMS_BUILDATTENTION_H
