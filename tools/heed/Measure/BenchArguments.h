//===- BenchArguments.h - Arguments of calls that are timed -----*- C++ -*-===//
#ifndef HEED_TOOLS_BENCHARGUMENTS_H
#define HEED_TOOLS_BENCHARGUMENTS_H

#include "Arrays/HostTensor.h"
#include "Kernels/VisibleKeys.h"
#include "heed/abi.h"

#include <memory>
#include <vector>

namespace heed::tools {

/// Dense arguments in memory of the same kind as the bandwidth probe's: inputs, weights, scalars and states
/// in node order, then outputs, which hold NaN.
struct BenchArguments {
  BenchArguments(const spec::graph &kernel, const reference::SymbolValues &values, const Inputs &inputs);

  std::vector<heed_view> views;
  std::size_t firstOutput = 0;

private:
  void add(const HostTensor &tensor);
  std::vector<std::unique_ptr<float, void (*)(void *)>> buffers;
};

} // namespace heed::tools

#endif // HEED_TOOLS_BENCHARGUMENTS_H
