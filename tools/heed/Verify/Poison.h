//===- Poison.h - Keys and values that must not matter ----------*- C++ -*-===//
///
/// \file
/// Puts NaN and huge numbers into keys and values: where a mask hides them nothing may change, and where they
/// are visible they must show.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_POISON_H
#define HEED_TOOLS_POISON_H

#include "Arrays/HostTensor.h"

#include <random>

namespace heed::tools {

/// Overwrites a few rows of an argument, if an attention takes it as keys or values, with NaN or 1e30.
void poison(const spec::graph &kernel, int node, HostTensor &tensor, std::mt19937_64 &random);

} // namespace heed::tools

#endif // HEED_TOOLS_POISON_H
