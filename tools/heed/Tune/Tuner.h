//===- Tuner.h - One kernel, tuned at some sizes ----------------*- C++ -*-===//
#ifndef HEED_TOOLS_TUNER_H
#define HEED_TOOLS_TUNER_H

#include "Kernels/Sizes.h"
#include "Kernels/VisibleKeys.h"
#include "Tune/MachineText.h"

#include <filesystem>

namespace heed::tools {

struct TuneRequest {
  std::vector<const spec::graph *> spec; ///< all its kernels, of which the file may speak
  const spec::graph *kernel = nullptr;
  std::vector<SymbolValues> sizes; ///< complete, one after the other
  Inputs given;
  Target target;
  int threads = 1;
  double budget = 60; ///< seconds for all sizes
  std::uint64_t seed = 1;
  bool resume = false;
  std::filesystem::path out;
};

/// Searches, writes the file and prints what was found. Throws ToolError before it spends time if the file
/// could not be written.
void tuneKernel(const TuneRequest &request);

} // namespace heed::tools

#endif // HEED_TOOLS_TUNER_H
