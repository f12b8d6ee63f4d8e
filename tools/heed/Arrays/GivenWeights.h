//===- GivenWeights.h - Weights from files ----------------------*- C++ -*-===//
///
/// \file
/// The kernel's weights from safetensors files, .npy files and folders of them, found by name.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_GIVENWEIGHTS_H
#define HEED_TOOLS_GIVENWEIGHTS_H

#include "Arrays/GivenInputs.h"

#include <string>
#include <vector>

namespace heed::tools {

struct WeightFiles {
  std::vector<std::string> files;
  std::string map, prefix; ///< a name map's file, and what begins every name in the files
};

/// Adds all weights of the kernel that `inputs` lacks, in the kernel's types; nothing when no file is named.
/// Adds a line to `errors` for every file that can't be read and every weight that no file has or that
/// doesn't fit.
void readWeights(const spec::graph &kernel, const WeightFiles &given, Inputs &inputs, InputErrors &errors);

/// Options as readInputs reads them and the weights that they lack; throws ToolError.
Inputs readInputs(const spec::graph &kernel, const std::vector<const spec::graph *> &kernels,
                  const std::vector<std::string> &options, const WeightFiles &weights);

} // namespace heed::tools

#endif // HEED_TOOLS_GIVENWEIGHTS_H
