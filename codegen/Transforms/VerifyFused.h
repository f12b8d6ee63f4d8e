//===- VerifyFused.h - The end of the passes --------------------*- C++ -*-===//
///
/// \file
/// Checks that a kernel holds only operations of the fused form (docs/architecture.md, section 3).
///
/// The emitter has one overload per operation of that form. A word that reached it would be a bug of a pass;
/// this stops it here, at the user's line and in the user's words.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_VERIFYFUSED_H
#define HEED_TRANSFORMS_VERIFYFUSED_H

#include "mlir/Pass/Pass.h"

namespace heed {

std::unique_ptr<mlir::Pass> createVerifyFusedPass();

} // namespace heed

#endif // HEED_TRANSFORMS_VERIFYFUSED_H
