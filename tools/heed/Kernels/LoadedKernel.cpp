#include "Kernels/LoadedKernel.h"

#include "Compile.h"
#include "Kernels/RunTarget.h"
#include "Support/Process.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace heed::tools {

namespace {

/// The static library's objects in a shared object. Their only undefined symbols are the C library's and
/// heed_scratch_* or heed_device_*, which this program exports.
std::filesystem::path linkShared(const std::filesystem::path &directory, const std::string &name) {
  std::filesystem::path library = directory / ("lib" + name + ".a"),
                        shared = directory / ("lib" + name + ".so");
  std::vector<std::string> command = cxxCompiler();
  command.insert(command.end(), {"-shared", "-o", shared.string(), "-Wl,--whole-archive", library.string(),
                                 "-Wl,--no-whole-archive", "-lm"});
  if (runCommand(command) != 0)
    throw ToolError(fmt::format("{}: doesn't link; the linker's message is above", library.string()));
  return shared;
}

} // namespace

std::filesystem::path compileShared(const spec::graph &kernel, const KernelOptions &options,
                                    const std::filesystem::path &directory, bool mustRun) {
  if (mustRun)
    runTarget(kernel, options.target); // nothing is compiled that can't run
  Progress progress(fmt::format("compiling kernel {}", kernel.name));
  CompileOptions compile;
  compile.name = kernel.name;
  compile.outputDirectory = directory.string();
  compile.scheduleFile = options.scheduleFile;
  compile.sources = options.sources;
  compile.spec = options.spec;
  compile.target = options.target;
  const spec::graph *kernels[] = {&kernel};
  if (llvm::Error error = compileLibrary(kernels, compile))
    throw ToolError(llvm::toString(std::move(error)));
  return linkShared(directory, kernel.name);
}

LoadedKernel::LoadedKernel(const spec::graph &kernel, const KernelOptions &options, Use use)
    : LoadedKernel(kernel, compileShared(kernel, options, TemporaryDirectory().path(), use == Use::Call),
                   use) {}

LoadedKernel::LoadedKernel(const spec::graph &kernel, const std::filesystem::path &shared, Use use) {
  void *handle = dlopen(shared.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    throw ToolError(fmt::format("kernel {}: {}", kernel.name, dlerror()));
  std::string symbol = fmt::format("heed_program_{}", kernel.name);
  best = static_cast<const heed_program *>(dlsym(handle, symbol.c_str()));
  if (!best)
    throw ToolError(fmt::format("kernel {}: its library has no symbol {}", kernel.name, symbol));
  heed_status status = {};
  selected = heed_select_program(best, &status);
  canRun = selected != nullptr;
  if (!canRun && use == Use::Call)
    throw ToolError(status.message);
  if (!canRun)
    selected = best;
}

void LoadedKernel::call(std::span<const heed_view> arguments, int threads,
                        const heed_allocator *allocator) const {
  heed_options options = {};
  options.threads = threads;
  options.allocator = allocator;
  heed_status status = {};
  if (heed_call(selected, arguments.data(), &options, &status) != HEED_OK)
    throw ToolError(fmt::format("{}: {}", selected->name, status.message));
}

} // namespace heed::tools
