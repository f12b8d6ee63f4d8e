//===- ScoreTree.h - From a softmax back to q kᵀ ----------------*- C++ -*-===//
///
/// \file
/// The operations that belong to one attention: the product of queries and keys, what happens to the scores,
/// the softmax, and the product with the values. Only looks; changes nothing.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_SCORETREE_H
#define HEED_TRANSFORMS_SCORETREE_H

#include "Dialect/Heed.h"
#include "llvm/ADT/MapVector.h"

#include <string>
#include <variant>

namespace heed {

struct ScoreTree {
  ir::MatmulOp product; ///< q kᵀ
  ir::SoftmaxOp softmax;
  ir::MatmulOp weighted;                         ///< weights · v
  llvm::MapVector<mlir::Operation *, bool> path; ///< true: computes its result from the product
};

/// The tree around a softmax, or why there is none: the end of the sentence "softmax: not fused, …".
std::variant<ScoreTree, std::string> findScoreTree(ir::SoftmaxOp softmax);

} // namespace heed

#endif // HEED_TRANSFORMS_SCORETREE_H
