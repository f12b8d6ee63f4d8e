//===- ReducedSizes.h - Sizes that the evaluator can take -------*- C++ -*-===//
#ifndef HEED_TOOLS_REDUCEDSIZES_H
#define HEED_TOOLS_REDUCEDSIZES_H

#include "Kernels/Sizes.h"

#include <random>

namespace heed::tools {

/// The sizes, the largest halved until an evaluation has at most about `operations`, then each made up to a
/// quarter smaller at random, so that blocks and chunks end in the middle. Sizes of 1 stay. Every extent
/// comes out whole.
SymbolValues reducedSizes(const spec::graph &kernel, const SymbolValues &values, double operations,
                          std::mt19937_64 &random);

} // namespace heed::tools

#endif // HEED_TOOLS_REDUCEDSIZES_H
