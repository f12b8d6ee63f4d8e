//===- Comparison.h - A result against the reference ------------*- C++ -*-===//
///
/// \file
/// Compares what a compiled kernel wrote with what the evaluator found. An element may differ by the bound
/// that the evaluator derived for it (Number::bound): the error that an evaluation in the kernel's own
/// precision, in any order of summation, can have. It is proportional to the magnitude of the inputs and
/// grows with the sizes.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_COMPARISON_H
#define HEED_TOOLS_COMPARISON_H

#include "Arrays/HostTensor.h"

#include <string>

namespace heed::tools {

struct Comparison {
  double largestDifference = 0; ///< over elements that are finite on both sides
  double largestShare = 0;      ///< of its bound that a difference uses up
  std::string firstWrong;       ///< "(0, 3, 5): got 0.25, expected 0.125 ± 3e-07"; empty when all are right
};

Comparison compare(const HostTensor &got, const reference::Tensor &expected);

} // namespace heed::tools

#endif // HEED_TOOLS_COMPARISON_H
