//===- Pipeline.h - From the user's words to the fused form -----*- C++ -*-===//
///
/// \file
/// The passes in their order, and their registration under names for heed-opt.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_PIPELINE_H
#define HEED_TRANSFORMS_PIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace heed {

/// A module of kernels as imported becomes the fused form of docs/architecture.md, section 3.
void buildPipeline(mlir::OpPassManager &passes);

/// `--heed-fuse-attention` and so on, and `--heed-pipeline` for all.
void registerPasses();

} // namespace heed

#endif // HEED_TRANSFORMS_PIPELINE_H
