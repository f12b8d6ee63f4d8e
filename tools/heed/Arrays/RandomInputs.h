//===- RandomInputs.h - Arguments drawn for verify and bench ----*- C++ -*-===//
///
/// \file
/// Values that a kernel could meet: normal numbers, weights of the size that training gives them, and masks
/// that hide single keys, whole rows or nothing.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_RANDOMINPUTS_H
#define HEED_TOOLS_RANDOMINPUTS_H

#include "Kernels/VisibleKeys.h"

#include <random>

namespace heed::tools {

/// Floats are normal, weights divided by √(last extent). Conditions of any type are 0 or 1 with rows that are
/// all 0 or all 1 among them. Some entries of a bias on scores are -infinity. Other integers lie in [-1,
/// largestInteger()], which is a little beyond what an index or a length may be. Seeds are any, probabilities
/// of dropout 0, small or 1. Positions of rows that are appended are such that these fit.
HostTensor drawForVerify(const spec::graph &kernel, int node, const reference::SymbolValues &values,
                         std::mt19937_64 &random);

/// The same floats; conditions are all 1, integers all largestInteger(), so that lengths are full and
/// identifiers equal: the work is what the sizes say. Probabilities of dropout are 0.1. Positions are the
/// last at which rows fit, so that a cache is full.
HostTensor drawForBench(const spec::graph &kernel, int node, const reference::SymbolValues &values,
                        std::mt19937_64 &random);

/// The arguments that are given, and drawn ones for the rest.
Inputs completedForBench(const spec::graph &kernel, const reference::SymbolValues &values, Inputs given);

} // namespace heed::tools

#endif // HEED_TOOLS_RANDOMINPUTS_H
