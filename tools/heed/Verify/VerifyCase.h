//===- VerifyCase.h - One call against the reference ------------*- C++ -*-===//
///
/// \file
/// Draws arguments and their layouts, runs a kernel on guarded buffers and compares every output, and what
/// the call left in every state, with the evaluator. Rows of a state that it doesn't append keep their bits.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_VERIFYCASE_H
#define HEED_TOOLS_VERIFYCASE_H

#include "Kernels/Sizes.h"
#include "Kernels/VisibleKeys.h"
#include "heed/abi.h"

#include <functional>
#include <span>

namespace heed::tools {

/// Runs the kernel; inputs, weights, scalars and states come in node order, then the outputs.
using KernelCall = std::function<void(std::span<const heed_view> arguments)>;

struct VerifyOutcome {
  double difference = 0; ///< the largest one of finite elements
  double share = 0;      ///< of its bound that a difference uses up, at most
  std::string wrong;     ///< the first mistake, empty when there is none
};

/// Arguments that are not given are drawn; `poisoned` puts NaN and 1e30 into keys and values. An access to
/// memory around a buffer that faults ends the program with a sentence and status 1.
VerifyOutcome verifyCase(const spec::graph &kernel, const KernelCall &call, const SymbolValues &values,
                         std::mt19937_64 &random, const Inputs &given = {}, bool poisoned = false);

} // namespace heed::tools

#endif // HEED_TOOLS_VERIFYCASE_H
