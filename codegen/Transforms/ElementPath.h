//===- ElementPath.h - From a matrix back to its root -----------*- C++ -*-===//
///
/// \file
/// How a matrix of queries × keys comes, element by element, from one value: scores from q kᵀ, weights from
/// a softmax. Only looks; changes nothing.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_ELEMENTPATH_H
#define HEED_TRANSFORMS_ELEMENTPATH_H

#include "Dialect/Heed.h"
#include "llvm/ADT/MapVector.h"

#include <optional>
#include <string>
#include <variant>

namespace heed {

struct ElementPath {
  mlir::Value root, result;
  /// What lies before `result` and is computed element by element, operands before users. True: it depends on
  /// the root.
  llvm::MapVector<mlir::Operation *, bool> operations;

  bool contains(mlir::Operation *op) const { return operations.lookup(op); }
};

/// Whether an element of the result depends on the first operand only at the same index: words, masks, score
/// programs, dropout.
bool isOnElements(mlir::Operation *op);

/// The path from the first root that is met, operands from left to right. Roots have the result's shape.
std::optional<ElementPath> findPath(mlir::Value result, llvm::function_ref<bool(mlir::Operation *)> isRoot);

/// The path from q kᵀ, or why there is none: the end of the sentence "softmax: not fused, …".
std::variant<ElementPath, std::string> findScores(mlir::Value scores);

/// `matmul at spec.cpp:12`.
std::string describe(mlir::Operation *op);

} // namespace heed

#endif // HEED_TRANSFORMS_ELEMENTPATH_H
