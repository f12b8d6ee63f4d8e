//===- ElementScalars.h - Tensor words as scalar arithmetic -----*- C++ -*-===//
///
/// \file
/// What an element-by-element word of the DSL does to one element. Both fusions that open a region use it.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_ELEMENTSCALARS_H
#define HEED_TRANSFORMS_ELEMENTSCALARS_H

#include "Dialect/Heed.h"

namespace heed {

/// Whether the result at an index is a function of the operands at that index.
bool isElementwise(mlir::Operation *op);

/// The word applied to scalars, one per operand, of the operands' scalar types; at the builder's place.
mlir::Value buildElementScalar(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange scalars);

/// A heed.constant as a scalar, or null for any other value.
mlir::Value buildConstantScalar(mlir::OpBuilder &builder, mlir::Value tensor);

/// Copies the region of a mask, score program or other operation of scalars to the builder's place and
/// returns what it yields first; `arguments` stand for the region's.
mlir::Value inlineRegion(mlir::OpBuilder &builder, mlir::Region &region, mlir::ValueRange arguments);

/// Erases operations of the block that nothing uses, users before operands.
void eraseDead(mlir::Block &block);

} // namespace heed

#endif // HEED_TRANSFORMS_ELEMENTSCALARS_H
