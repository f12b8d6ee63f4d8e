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

/// Copies the region of a mask, score program or map to the builder's place and returns what it yields first;
/// `arguments` stand for the region's, `positions`, if there are any, for its heed.position of each axis.
mlir::Value inlineRegion(mlir::OpBuilder &builder, mlir::Region &region, mlir::ValueRange arguments,
                         mlir::ValueRange positions = {});

/// A mask or score program applied to one score at the positions b, h, q, k.
mlir::Value buildProgramScalar(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value score,
                               mlir::ValueRange positions, mlir::ValueRange captures);

/// Dropout of one element at its positions, one per axis.
mlir::Value buildDropoutScalar(mlir::OpBuilder &builder, ir::DropoutOp op, mlir::Value x,
                               mlir::Value probability, mlir::Value seed, mlir::ValueRange positions);

/// The head of the operand that is the given head of the result.
mlir::Value buildRepeatedHead(mlir::OpBuilder &builder, ir::RepeatHeadsOp op, mlir::Value head);

/// Erases operations of the block that nothing uses, users before operands.
void eraseDead(mlir::Block &block);

} // namespace heed

#endif // HEED_TRANSFORMS_ELEMENTSCALARS_H
