//===- AttentionRegions.h - What happens to scores and weights --*- C++ -*-===//
///
/// \file
/// Builds the two regions of an attention, or of its scores, from paths of tensor operations: the body from
/// q kᵀ to the scores, the weighing from the softmax to the weights that meet the values.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_ATTENTIONREGIONS_H
#define HEED_TRANSFORMS_ATTENTIONREGIONS_H

#include "Transforms/ElementPath.h"
#include "Transforms/Visibility.h"
#include "llvm/ADT/SetVector.h"

namespace heed {

class AttentionRegions {
public:
  /// The body yields the scores at the end of the path, of which those that are hidden `as` this number
  /// become `visible = false`. Constant factors of the raw scores are left to the attribute `scale`.
  AttentionRegions(const ElementPath &scores, HiddenAs as);

  /// Adds the region `weighing`; a path of no operations adds none. The first operation whose result is not a
  /// fitting function of the weight, null if all are. Where a tile has no visible key, nothing is evaluated,
  /// so that 0 must stay 0 (`keepsZero`); and weights of a product with values are divided by their sum last,
  /// so that they must stay in proportion (`isProportional`).
  using WeightFunction = bool (*)(mlir::Value scalar, mlir::Value weight);
  mlir::Operation *addWeighing(const ElementPath &weights, WeightFunction fits);

  mlir::ValueRange getCaptures() const { return captures.getArrayRef(); }
  double getScale() const { return scale; }
  /// Moves the regions into an operation with these captures.
  void moveInto(mlir::Region &body, mlir::Region &weighing);

private:
  mlir::Block &addBlock(mlir::Region &region, mlir::Location location);

  ir::TensorType matrix; ///< type of scores and weights
  mlir::Region body, weighing;
  llvm::SetVector<mlir::Value> captures;
  double scale = 1;
};

} // namespace heed

#endif // HEED_TRANSFORMS_ATTENTIONREGIONS_H
