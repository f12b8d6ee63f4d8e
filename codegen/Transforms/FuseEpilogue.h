//===- FuseEpilogue.h - What follows a linear, at its store -----*- C++ -*-===//
///
/// \file
/// A heed.map that is the one reader of a linear's result, element by element, becomes the linear's epilogue:
/// activations, residuals, gates, dropout. Of several linears that a map joins, such as the two of SwiGLU,
/// the last one takes it and reads the results of the others.
///
/// The result is then written once, instead of written, read and written again, and the arithmetic is done on
/// a tile that is still in cache. Runs after the elementwise fusion, so that a chain moves as one map.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_FUSEEPILOGUE_H
#define HEED_TRANSFORMS_FUSEEPILOGUE_H

#include "mlir/Pass/Pass.h"

namespace heed {

std::unique_ptr<mlir::Pass> createFuseEpiloguePass();

} // namespace heed

#endif // HEED_TRANSFORMS_FUSEEPILOGUE_H
