//===- Work.h - Operations and bytes of a call ------------------*- C++ -*-===//
///
/// \file
/// How much arithmetic and memory traffic a kernel needs for given sizes, counted from the plain graph,
/// whatever the compiler makes of it. Products count 2·m·n·k. An attention counts 2·(D + E) per visible
/// (query, key) pair, where masks that depend on indices alone are counted exactly and any other mask as if
/// it hid nothing. Everything else counts nothing. Bytes are those of all inputs and outputs, once.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_WORK_H
#define HEED_TOOLS_WORK_H

#include "Reference/Symbols.h"

#include <optional>

namespace heed::tools {

struct Work {
  double operations = 0;
  double bytes = 0;
  double elements = 0; ///< of all tensors in the graph: what the evaluator stores
};

/// All extents must have values. `throughMasks` false counts every pair and takes no time.
Work countWork(const spec::graph &kernel, const reference::SymbolValues &values, bool throughMasks = false);

/// Visible pairs of all mask nodes together over (b, h, q, k); nothing when a mask depends on more than
/// indices and extents.
std::optional<double> visiblePairs(const spec::graph &kernel, const std::vector<int> &masks,
                                   const reference::SymbolValues &values);

} // namespace heed::tools

#endif // HEED_TOOLS_WORK_H
