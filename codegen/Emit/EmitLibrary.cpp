//===- EmitLibrary.cpp - From fused kernels to their files ----------------===//

#include "Emit/EmitLibrary.h"

#include "Emit/Bf16Dots.h"
#include "Emit/Library.h"
#include "Emit/WriteDriver.h"
#include "Emit/WriteHeader.h"
#include "Support/Diagnostics.h"
#include "Target/CpuLevel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace heed {

std::vector<program::Program> EmittedLibrary::highest() const {
  std::vector<program::Program> result;
  for (const std::vector<program::Program> &kernel : programs)
    result.push_back(kernel.front());
  return result;
}

llvm::Expected<CpuLevels> levelsOf(ModuleOp kernels, llvm::StringRef target) {
  CpuLevels levels;
  for (auto kernel : kernels.getOps<ir::KernelOp>()) {
    llvm::Expected<CpuLevels> named = parseTarget(target, hasDotsOfBf16(kernel));
    if (!named)
      return named.takeError();
    llvm::append_range(levels, *named);
  }
  llvm::sort(levels, std::greater<>());
  levels.erase(llvm::unique(levels), levels.end());
  return levels;
}

/// What the functions of a level are named after: the library, and the level where there are several.
static std::string functionPrefix(const std::string &library, heed_cpu_level level, size_t levelCount) {
  return levelCount == 1 ? library : library + "_" + levelName(level).str();
}

llvm::Expected<EmittedLibrary> emitLibrary(ModuleOp kernels, llvm::StringRef target, const std::string &name,
                                           SchedulesFor schedules) {
  llvm::Expected<CpuLevels> levels = levelsOf(kernels, target);
  if (!levels)
    return levels.takeError();
  EmittedLibrary library;
  library.programs.resize(llvm::range_size(kernels.getOps<ir::KernelOp>()));
  DiagnosticsAsError diagnostics(kernels.getContext());
  for (heed_cpu_level level : *levels) {
    HalideBackend backend(level);
    llvm::Expected<ScheduleChoices> chosen = schedules(backend);
    if (!chosen)
      return chosen.takeError();
    TileFunctions &functions = library.functions.emplace_back(functionPrefix(name, level, levels->size()));
    for (auto [kernel, programs] : llvm::zip_equal(kernels.getOps<ir::KernelOp>(), library.programs)) {
      if (!llvm::is_contained(llvm::cantFail(parseTarget(target, hasDotsOfBf16(kernel))), level))
        continue;
      FailureOr<program::Program> program = backend.emit(kernel, *chosen, functions);
      if (llvm::Error failure = diagnostics.check(program))
        return std::move(failure);
      programs.push_back(std::move(*program));
    }
  }
  return library;
}

std::string driverText(const EmittedLibrary &library) { return writeDriver(library.programs); }

/// Objects go through files, which the archive's members are made of.
static llvm::Error writeObjects(const EmittedLibrary &library, const std::string &name,
                                const std::string &folder, unsigned threads,
                                std::vector<std::string> &objects) {
  objects.push_back(folder + "/" + name + "_driver.o");
  heed_cpu_level level = library.programs.front().front().level;
  if (llvm::Error failure = compileDriver(driverText(library), level, folder, objects.back()))
    return failure;
  for (const TileFunctions &ofLevel : library.functions) {
    auto functions = ofLevel.compile(CodeForm::Object, threads);
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
  if (llvm::Error failure = writeFile(directory + "/" + name + ".h", writeHeader(name, library.highest())))
    return failure;
  return writeFile(directory + "/" + name + "_c.h", writeCHeader(name, library.highest()));
}

} // namespace heed
