//===- Regions.h - Checks of regions of scalars -----------------*- C++ -*-===//
///
/// \file
/// What the verifiers of operations with a region share.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_DIALECT_REGIONS_H
#define HEED_DIALECT_REGIONS_H

#include "Dialect/Heed.h"

namespace heed::ir {

/// The region, of one block, has exactly these arguments and yields exactly these types, and holds only
/// scalar operations. Reports what it found and what is needed at the operation.
mlir::LogicalResult verifyRegion(mlir::Operation *op, mlir::Region &region, mlir::TypeRange arguments,
                                 mlir::TypeRange results);

/// Types of a region's arguments: `first`, b, h, q, k, then the captures.
llvm::SmallVector<mlir::Type> positionTypes(mlir::MLIRContext *context, mlir::TypeRange first,
                                            mlir::TypeRange captures);

/// The region computes one element of the operation's result from `first`, the elements of `inputs`, which
/// broadcast to it, and the captures.
mlir::LogicalResult verifyElements(mlir::Operation *op, mlir::Region &region, mlir::TypeRange first,
                                   mlir::ValueRange inputs, mlir::ValueRange captures);

/// Names the first arguments in the text form.
void nameArguments(mlir::Region &region, llvm::ArrayRef<llvm::StringRef> names,
                   mlir::OpAsmSetValueNameFn setName);

} // namespace heed::ir

#endif // HEED_DIALECT_REGIONS_H
