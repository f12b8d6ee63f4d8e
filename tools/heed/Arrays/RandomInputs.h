//===- RandomInputs.h - Arguments drawn for verify and bench ----*- C++ -*-===//
///
/// \file
/// Values that a kernel could meet: normal numbers, weights of the size that training gives them, and masks
/// that hide single keys, whole rows or nothing.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_RANDOMINPUTS_H
#define HEED_TOOLS_RANDOMINPUTS_H

#include "Arrays/HostTensor.h"

#include <random>

namespace heed::tools {

/// Floats are normal, weights divided by √(last extent). Conditions of any type are 0 or 1 with rows that are
/// all 0 or all 1 among them. Some entries of a bias on scores are -infinity. Other integers lie in [-1,
/// largest extent], which is a little beyond what an index or a length may be.
HostTensor drawForVerify(const spec::graph &kernel, int node, const Shape &shape, std::mt19937_64 &random);

/// The same floats; conditions are all 1 and integers 0, so that the work is what the sizes say.
HostTensor drawForBench(const spec::graph &kernel, int node, const Shape &shape, std::mt19937_64 &random);

} // namespace heed::tools

#endif // HEED_TOOLS_RANDOMINPUTS_H
