//===- Arguments.h - Named arrays for a kernel ------------------*- C++ -*-===//
///
/// \file
/// From NAME=FILE.npy options to the arguments of a call, with all mistakes reported at once.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_ARGUMENTS_H
#define HEED_TOOLS_ARGUMENTS_H

#include "Arrays/GivenWeights.h"
#include "Arrays/HostTensor.h"
#include "heed/abi.h"

#include <string>
#include <vector>

namespace heed::tools {

/// What a call writes, by name: the outputs, then the states.
std::vector<std::string> resultNames(const spec::graph &kernel);

/// Arguments of one call, dense: inputs, weights, scalars and states in node order, then outputs.
struct Arguments {
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> outputs;
  std::vector<heed_view> views();

  /// In the order of resultNames.
  const HostTensor &result(const spec::graph &kernel, int number) const;
};

/// Reads the files of "NAME=FILE" options, then the weights that they lack, and makes room for the outputs,
/// filled with NaN. Throws ToolError with a line for every unknown (with the nearest), doubled or missing
/// name, unreadable file, type that can't be converted exactly, and wrong shape.
Arguments readArguments(const spec::graph &kernel, const std::vector<std::string> &options,
                        const WeightFiles &weights = {});

/// Dense tensors for the outputs.
std::vector<HostTensor> makeOutputs(const spec::graph &kernel, const std::vector<std::int64_t> &symbols);

} // namespace heed::tools

#endif // HEED_TOOLS_ARGUMENTS_H
