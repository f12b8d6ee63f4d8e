//===- Placement.h - Where the values of a kernel lie -----------*- C++ -*-===//
///
/// \file
/// Every value of a fused kernel is a view of a home: an argument of the call, an output, or a temporary. The
/// views of the dialect (split_heads, merge_heads, transpose, permute) cost nothing when strides express
/// them. Before a producing operation they are views of what it reads; after one, the operation writes
/// through the inverse view, so that attention writes straight into merged rows and the last operation
/// straight into the output.
///
/// `insertCopies` adds the heed.map copies that remain; after it every operand has a view.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_PLACEMENT_H
#define HEED_CODEGEN_EMIT_PLACEMENT_H

#include "Dialect/Heed.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace heed {

/// One axis of a view: stride = stride of the home's axis `axis`, times `multiplier`.
struct ViewAxis {
  ir::ExtentAttr extent;
  int axis;
  ir::ExtentAttr multiplier;
};

/// Axes are in the order of the value's type, outermost first.
struct View {
  mlir::Value home;
  llvm::SmallVector<ViewAxis> axes;

  /// All of the home, axis by axis.
  static View whole(mlir::Value home);
  /// Whether neighbours along the innermost axis are neighbours in the home.
  bool hasUnitInnerStride() const;
};

/// The analysis: the home of every result, the view of every value.
class Placement {
public:
  explicit Placement(ir::KernelOp kernel);

  /// How a value lies in its home; nothing where strides cannot say it.
  std::optional<View> view(mlir::Value value) const;

  /// The output whose memory is this home.
  std::optional<unsigned> output(mlir::Value home) const;

private:
  View place(mlir::OpResult result) const;
  std::optional<View> throughInverse(mlir::Operation *producer, mlir::Value target) const;

  mlir::ValueRange outputs;                 ///< operands of the return
  llvm::DenseMap<mlir::Value, View> placed; ///< results of operations that do work
};

/// Adds a copy for every output and operand that has no view, and for operands without unit inner stride of
/// operations that need one.
void insertCopies(ir::KernelOp kernel);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_PLACEMENT_H
