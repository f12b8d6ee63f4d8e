//===- EmitLibrary.cpp - From fused kernels to their files ----------------===//

#include "Emit/EmitLibrary.h"

#include "Emit/Bf16Dots.h"
#include "Emit/Library.h"
#include "Emit/WriteDriver.h"
#include "Emit/WriteHeader.h"
#include "Support/Diagnostics.h"
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

llvm::Expected<Targets> targetsOf(ModuleOp kernels, llvm::StringRef target) {
  std::vector<Targets> ofKernels;
  for (auto kernel : kernels.getOps<ir::KernelOp>()) {
    llvm::Expected<Targets> named = parseTarget(target, hasDotsOfBf16(kernel));
    if (!named)
      return named.takeError();
    ofKernels.push_back(std::move(*named));
  }
  return merged(ofKernels);
}

/// What the functions of a target are named after: the library, and the target where there are several.
static std::string functionPrefix(const std::string &library, const Target &target, size_t targetCount) {
  return targetCount == 1 ? library : library + "_" + target.name();
}

llvm::Expected<EmittedLibrary> emitLibrary(ModuleOp kernels, llvm::StringRef target, const std::string &name,
                                           SchedulesFor schedules) {
  llvm::Expected<Targets> targets = targetsOf(kernels, target);
  if (!targets)
    return targets.takeError();
  EmittedLibrary library;
  library.programs.resize(llvm::range_size(kernels.getOps<ir::KernelOp>()));
  DiagnosticsAsError diagnostics(kernels.getContext());
  for (const Target &each : *targets) {
    HalideBackend backend(each);
    llvm::Expected<ScheduleChoices> chosen = schedules(backend);
    if (!chosen)
      return chosen.takeError();
    TileFunctions &functions = library.functions.emplace_back(functionPrefix(name, each, targets->size()));
    for (auto [kernel, programs] : llvm::zip_equal(kernels.getOps<ir::KernelOp>(), library.programs)) {
      if (!llvm::is_contained(llvm::cantFail(parseTarget(target, hasDotsOfBf16(kernel))), each))
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
  for (const TileFunctions &ofTarget : library.functions) {
    auto functions = ofTarget.compile(CodeForm::Object, threads);
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
