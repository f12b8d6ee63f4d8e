//===- TunedKernel.h - The operations of a kernel to be tuned ---*- C++ -*-===//
#ifndef HEED_TOOLS_TUNEDKERNEL_H
#define HEED_TOOLS_TUNEDKERNEL_H

#include "Kernels/Sizes.h"
#include "Schedule/ScheduleFile.h"
#include "Target/Target.h"
#include "Tune/Problem.h"
#include "heed/abi.h"

namespace heed::tools {

/// What the compiler says of a kernel, as values: its own objects would not outlive a fork.
struct TunedKernel {
  ScheduleLimits limits{0};                                ///< of the target
  ScheduledOperations operations;                          ///< of all kernels of the spec
  std::string identity;                                    ///< the kernel after the passes, as a text
  std::vector<std::vector<tune::TunedOperation>> problems; ///< of the kernel, per size
  std::vector<std::vector<std::map<std::string, std::int64_t>>> at; ///< the sizes of each operation's entry
};

/// Throws ToolError when the kernel doesn't compile.
TunedKernel tunedKernel(const std::vector<const spec::graph *> &spec, const spec::graph &kernel,
                        const std::vector<SymbolValues> &sizes, const Target &target);

} // namespace heed::tools

#endif // HEED_TOOLS_TUNEDKERNEL_H
