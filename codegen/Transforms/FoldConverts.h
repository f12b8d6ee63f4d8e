//===- FoldConverts.h - Types change where elements are stored --*- C++ -*-===//
///
/// \file
/// heed.convert costs nothing beside an operation that computes in f32 or f64 anyway.
///
/// What computes the operand of a convert, and has no other user, stores the new type, through the views in
/// between: so the result is rounded once. What reads a 16-bit type that was made wider reads the 16 bits.
/// Runs before the fusions, which shall not see a convert between a product and a softmax; among
/// element-by-element work the others vanish into a map.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_FOLDCONVERTS_H
#define HEED_TRANSFORMS_FOLDCONVERTS_H

#include "mlir/Pass/Pass.h"

namespace heed {

std::unique_ptr<mlir::Pass> createFoldConvertsPass();

/// Scores that could not be fused are stored in f32 all the same: they may be beyond f16, and a weight has as
/// many digits as its score has after the point. Runs at the end, where it is known which those are.
std::unique_ptr<mlir::Pass> createWidenScoresPass();

} // namespace heed

#endif // HEED_TRANSFORMS_FOLDCONVERTS_H
