//===- EmitLibrary.cpp - From fused kernels to their files ----------------===//

#include "Emit/EmitLibrary.h"

#include "Emit/Library.h"
#include "Emit/WriteDriver.h"
#include "Emit/WriteHeader.h"
#include "Support/Diagnostics.h"
#include "Target/CpuLevel.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace heed {

std::string functionPrefix(const std::string &library, heed_cpu_level level, size_t levelCount) {
  return levelCount == 1 ? library : library + "_" + levelName(level).str();
}

llvm::Expected<EmittedLevel> emitKernels(ModuleOp kernels, const HalideBackend &backend,
                                         const ScheduleChoices &schedules, const std::string &prefix) {
  EmittedLevel emitted{{}, TileFunctions(prefix)};
  DiagnosticsAsError diagnostics(kernels.getContext());
  for (auto kernel : kernels.getOps<ir::KernelOp>()) {
    FailureOr<program::Program> program = backend.emit(kernel, schedules, emitted.functions);
    if (llvm::Error failure = diagnostics.check(program))
      return std::move(failure);
    emitted.programs.push_back(std::move(*program));
  }
  return emitted;
}

std::string driverText(const EmittedLibrary &library) {
  llvm::SmallVector<ProgramsOfLevel> levels;
  for (const EmittedLevel &level : library.levels)
    levels.push_back(level.programs);
  return writeDriver(levels);
}

/// Objects go through files, which the archive's members are made of.
static llvm::Error writeObjects(const EmittedLibrary &library, const std::string &name,
                                const std::string &folder, unsigned threads,
                                std::vector<std::string> &objects) {
  objects.push_back(folder + "/" + name + "_driver.o");
  heed_cpu_level level = library.programs().front().level;
  if (llvm::Error failure = compileDriver(driverText(library), level, folder, objects.back()))
    return failure;
  for (const EmittedLevel &emitted : library.levels) {
    auto functions = emitted.functions.compile(CodeForm::Object, threads);
    if (!functions)
      return functions.takeError();
    for (const TileFunctions::Compiled &function : *functions) {
      objects.push_back(folder + "/" + function.symbol + ".o");
      if (llvm::Error failure = writeFile(objects.back(), function.code))
        return failure;
    }
  }
  return llvm::Error::success();
}

llvm::Error writeLibrary(const EmittedLibrary &library, const std::string &name, const std::string &directory,
                         unsigned threads) {
  llvm::Expected<ScratchFolder> scratch = ScratchFolder::create();
  if (!scratch)
    return scratch.takeError();
  std::vector<std::string> objects;
  if (llvm::Error failure = writeObjects(library, name, **scratch, threads, objects))
    return failure;
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return llvm::createFileError(directory, code);
  if (llvm::Error failure = writeArchive(directory + "/lib" + name + ".a", objects))
    return failure;
  if (llvm::Error failure = writeFile(directory + "/" + name + ".h", writeHeader(name, library.programs())))
    return failure;
  return writeFile(directory + "/" + name + "_c.h", writeCHeader(name, library.programs()));
}

} // namespace heed
