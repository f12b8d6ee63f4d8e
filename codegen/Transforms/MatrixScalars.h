//===- MatrixScalars.h - Elements of matrices in a region -------*- C++ -*-===//
///
/// \file
/// The element of a tensor at the current position (b, h, q, k) of an attention's region. What lies on a path
/// is computed there; so is every tensor of queries × keys that comes from smaller ones, since storing it
/// would take the space that the fusion saves. All else is captured.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_MATRIXSCALARS_H
#define HEED_TRANSFORMS_MATRIXSCALARS_H

#include "Transforms/ElementPath.h"
#include "llvm/ADT/SetVector.h"

namespace heed {

class MatrixScalars {
public:
  /// Builds at the builder's place, in `block`, whose first arguments are a score or weight, b, h, q, k, then
  /// one per element of `captures`; both grow. `rank` is that of the scores.
  MatrixScalars(mlir::OpBuilder &builder, mlir::Block &block, const ElementPath &path, int64_t rank,
                llvm::SetVector<mlir::Value> &captures);

  /// Lets a scalar stand for a tensor.
  void set(mlir::Value tensor, mlir::Value scalar) { scalars[tensor] = scalar; }
  mlir::Value of(mlir::Value tensor);

private:
  mlir::Value build(mlir::Value tensor);
  mlir::Value buildProgram(mlir::Operation *op);
  mlir::Value buildTable(ir::MapOp op);
  mlir::Value buildDropout(ir::DropoutOp op);
  mlir::Value buildElement(mlir::Value tensor, mlir::ValueRange indices);
  llvm::SmallVector<mlir::Value> positionsOf(ir::TensorType type);
  mlir::Value capture(mlir::Value tensor);

  mlir::OpBuilder &builder;
  mlir::Block &block;
  const ElementPath &path;
  int64_t rank;
  llvm::SetVector<mlir::Value> &captures;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
};

} // namespace heed

#endif // HEED_TRANSFORMS_MATRIXSCALARS_H
