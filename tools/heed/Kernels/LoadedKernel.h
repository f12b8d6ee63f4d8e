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

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heed::tools {

/// What run, verify and bench say about how to compile.
struct KernelOptions {
  std::string target = "host";
  std::string scheduleFile;              ///< empty: those beside the sources, else the defaults
  std::vector<std::string> sources;      ///< of the spec
  std::vector<const spec::graph *> spec; ///< all its kernels
};

/// The kernel in a shared object in a folder. Throws ToolError when it doesn't compile or link.
std::filesystem::path compileShared(const spec::graph &kernel, const KernelOptions &options,
                                    const std::filesystem::path &directory, bool mustRun = true);

class LoadedKernel {
public:
  /// What for: to call it, or only to look at its programs, which this machine need not run.
  enum class Use { Call, Look };

  /// Throws ToolError when the kernel doesn't compile, link or load. It stays loaded until the program ends.
  LoadedKernel(const spec::graph &kernel, const KernelOptions &options, Use use = Use::Call);
  /// From a shared object that compileShared made.
  LoadedKernel(const spec::graph &kernel, const std::filesystem::path &shared, Use use = Use::Call);

  /// One view per argument, in the program's order; `threads` 0 means one per core. Throws ToolError with the
  /// status' message.
  void call(std::span<const heed_view> arguments, int threads = 0,
            const heed_allocator *allocator = nullptr) const;

  /// Whether this machine runs one of its programs.
  bool runs() const { return canRun; }

  /// What calls run; the first program where none can.
  const heed_program &program() const { return *selected; }

  /// The first of the library's programs, for a device or its highest level.
  const heed_program &highest() const { return *best; }

private:
  const heed_program *best = nullptr, *selected = nullptr;
  bool canRun = true;
};

} // namespace heed::tools

#endif // HEED_TOOLS_LOADEDKERNEL_H
