//===- Work.h - Operations and bytes of a call ------------------*- C++ -*-===//
///
/// \file
/// How much arithmetic and memory traffic a kernel needs for given sizes, counted from the plain graph,
/// whatever the compiler makes of it. Products count 2·m·n·k. An attention counts 2·(D + E) per visible
/// (query, key) pair. Everything else counts nothing. Bytes are those of all arguments and outputs, once.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_WORK_H
#define HEED_TOOLS_WORK_H

#include "Kernels/VisibleKeys.h"

namespace heed::tools {

struct Work {
  double operations = 0;
  double bytes = 0;
  double elements = 0;   ///< of all tensors in the graph: what the evaluator stores
  bool dotsBf16 = false; ///< some products are of two bf16, or of weights and values of bf16
  double visible = 1;    ///< part of an attention's pairs, the smallest of the kernel's attentions
};

/// All extents must have values. With `inputs` pairs are counted that masks and conditions let through, given
/// what these read; without, every pair is, which takes no time.
Work countWork(const spec::graph &kernel, const reference::SymbolValues &values,
               const Inputs *inputs = nullptr);

} // namespace heed::tools

#endif // HEED_TOOLS_WORK_H
