//===- Placement.h - Where the values of a kernel lie -----------*- C++ -*-===//
///
/// \file
/// Every value of a fused kernel is a view of a home: an argument of the call, an output, or a temporary. The
/// views of the dialect (split_heads, merge_heads, transpose, permute, slice, …) cost nothing when strides
/// and offsets express them. Before a producing operation they are views of what it reads; after one, the
/// operation writes through the inverse view, so that attention writes straight into merged rows and the last
/// operation straight into the output. A slice has no inverse.
///
/// The home of an append's result is the state, and that of its rows the part of it from the position on, so
/// that an append itself does nothing: what computes the rows writes them where they belong, be it a copy.
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

  bool operator==(const ViewAxis &) const = default;
};

/// A view begins so many elements further along the home's axis `axis`: an extent, or a scalar argument.
struct ViewOffset {
  int axis;
  ir::ExtentAttr extent;
  mlir::Value argument = {};

  bool operator==(const ViewOffset &) const = default;
};

/// Axes are in the order of the value's type, outermost first.
struct View {
  mlir::Value home;
  llvm::SmallVector<ViewAxis> axes;
  llvm::SmallVector<ViewOffset> offsets = {};

  bool operator==(const View &) const = default;

  /// All of the home, axis by axis.
  static View whole(mlir::Value home);
  /// Whether neighbours along the innermost axis are neighbours in the home.
  bool hasUnitInnerStride() const;
};

/// The split of a linear's result into heads, if the linear can write them as an attention reads them best,
/// (b, h, s, d): nothing else uses the result, and rows of a head are whole vectors. Then the split's result
/// has a place and the linear's has none.
ir::SplitHeadsOp headsWrittenBy(ir::LinearOp linear);

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
  static std::optional<View> throughInverse(mlir::Operation *producer, mlir::Value target, View view);

  mlir::ValueRange outputs;                 ///< operands of the return
  llvm::DenseMap<mlir::Value, View> placed; ///< results of operations that do work
};

/// Adds a copy for every output and operand that has no view, for operands without unit inner stride of
/// operations that need one, and for rows to append that don't lie in their state.
void insertCopies(ir::KernelOp kernel);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_PLACEMENT_H
