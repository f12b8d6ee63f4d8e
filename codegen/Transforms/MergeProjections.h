//===- MergeProjections.h - Linears that read one input ---------*- C++ -*-===//
///
/// \file
/// Puts linear operations that read the same input (the projections of Q, K and V in self-attention) next to
/// each other.
///
/// Their weights are separate arguments of a call: concatenating them would copy all weights on every call,
/// which costs more than reading the input three times. So merging is an order, not one large operation:
/// neighbours with one input form a group (`projectionGroup`), and an emitter can run a group as one step,
/// whose tiles share the threads without a barrier between the projections. An emitter that does not know
/// groups is right as well.
///
/// Runs before the attention fusion: later, the operations between the projections would be gone, but so
/// would be the freedom to move past them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_MERGEPROJECTIONS_H
#define HEED_TRANSFORMS_MERGEPROJECTIONS_H

#include "Dialect/Heed.h"
#include "mlir/Pass/Pass.h"

namespace heed {

std::unique_ptr<mlir::Pass> createMergeProjectionsPass();

/// The linear operations with the same input that follow each other from here, the given one first.
llvm::SmallVector<ir::LinearOp> projectionGroup(ir::LinearOp first);

} // namespace heed

#endif // HEED_TRANSFORMS_MERGEPROJECTIONS_H
