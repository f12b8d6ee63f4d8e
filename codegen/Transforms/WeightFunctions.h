//===- WeightFunctions.h - What becomes of a weight -------------*- C++ -*-===//
///
/// \file
/// How a scalar of a region depends on the weight that it is computed from. 0 times anything counts as 0, as
/// for hidden keys.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_WEIGHTFUNCTIONS_H
#define HEED_TRANSFORMS_WEIGHTFUNCTIONS_H

#include "mlir/IR/Value.h"

namespace heed {

/// Whether the scalar is 0 wherever the weight is.
bool keepsZero(mlir::Value scalar, mlir::Value weight);

/// Whether the scalar is the weight times something that does not depend on it.
bool isProportional(mlir::Value scalar, mlir::Value weight);

} // namespace heed

#endif // HEED_TRANSFORMS_WEIGHTFUNCTIONS_H
