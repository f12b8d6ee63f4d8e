//===- FoldBias.h - A bias belongs to its linear ----------------*- C++ -*-===//
///
/// \file
/// linear(x, w) + b, with b along the innermost axis, becomes linear(x, w, b).
///
/// The bias then starts the accumulators instead of costing a pass over the result. Runs before everything
/// that looks at the users of a linear operation, and only where the sum is the one user.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_FOLDBIAS_H
#define HEED_TRANSFORMS_FOLDBIAS_H

#include "mlir/Pass/Pass.h"

namespace heed {

std::unique_ptr<mlir::Pass> createFoldBiasPass();

} // namespace heed

#endif // HEED_TRANSFORMS_FOLDBIAS_H
