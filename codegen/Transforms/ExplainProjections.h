//===- ExplainProjections.h - Where projections run -------------*- C++ -*-===//
///
/// \file
/// For `heed explain`: which linear operations project what an attention reads, in how many launches, and why
/// so. Reads a kernel in the fused form.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_EXPLAINPROJECTIONS_H
#define HEED_TRANSFORMS_EXPLAINPROJECTIONS_H

#include "Dialect/Heed.h"

#include <string>
#include <vector>

namespace heed {

/// What an operation is called.
using NameOf = llvm::function_ref<std::string(mlir::Operation *)>;

/// That the queries of an attention are projected by a launch of their own, and why; empty where they are not
/// a linear operation's result, or parts of it.
std::string explainQueryProjection(ir::AttentionOp attention, NameOf nameOf);

/// One sentence per group of projections of one input, in the kernel's order: neighbours, each with a weight
/// of its own, run as several launches; one operation whose result is read in parts runs as one.
std::vector<std::string> explainMergedProjections(ir::KernelOp kernel, NameOf nameOf);

} // namespace heed

#endif // HEED_TRANSFORMS_EXPLAINPROJECTIONS_H
