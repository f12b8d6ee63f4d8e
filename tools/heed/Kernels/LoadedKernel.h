//===- LoadedKernel.h - A kernel compiled and loaded ------------*- C++ -*-===//
///
/// \file
/// Compiles one kernel into a library as `heed compile` does, links it into a shared object and loads it, so
/// that the other sub-commands call the very code that a user would link.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_LOADEDKERNEL_H
#define HEED_TOOLS_LOADEDKERNEL_H

#include "heed/abi.h"
#include "heed/dsl/graph_data.hpp"

#include <span>
#include <string>
#include <vector>

namespace heed::tools {

/// What run, verify and bench say about how to compile.
struct KernelOptions {
  std::string target = "host";
  std::string scheduleFile;
  std::vector<const spec::graph *> spec; ///< all its kernels
};

class LoadedKernel {
public:
  /// Throws ToolError when the kernel doesn't compile, link or load. It stays loaded until the program ends.
  LoadedKernel(const spec::graph &kernel, const KernelOptions &options);

  /// One view per argument, in the program's order; `threads` 0 means one per core. Throws ToolError with the
  /// status' message.
  void call(std::span<const heed_view> arguments, int threads = 0,
            const heed_allocator *allocator = nullptr) const;

  /// What calls run.
  const heed_program &program() const { return *selected; }

  /// The first of the library's programs, for its highest level.
  const heed_program &highest() const { return *best; }

private:
  const heed_program *best = nullptr, *selected = nullptr;
};

} // namespace heed::tools

#endif // HEED_TOOLS_LOADEDKERNEL_H
