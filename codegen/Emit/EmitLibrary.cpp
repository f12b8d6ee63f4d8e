//===- EmitLibrary.cpp - From fused kernels to their files ----------------===//

#include "Emit/EmitLibrary.h"

#include "Emit/Library.h"
#include "Emit/WriteDriver.h"
#include "Emit/WriteHeader.h"
#include "Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace heed {

llvm::Expected<EmittedLibrary> emitKernels(ModuleOp kernels, const HalideBackend &backend,
                                           const ScheduleTable &schedules, const std::string &library) {
  EmittedLibrary emitted{{}, TileFunctions(library)};
  DiagnosticsAsError diagnostics(kernels.getContext());
  for (auto kernel : kernels.getOps<ir::KernelOp>()) {
    FailureOr<program::Program> program = backend.emit(kernel, schedules, emitted.functions);
    if (llvm::Error failure = diagnostics.check(program))
      return std::move(failure);
    emitted.programs.push_back(std::move(*program));
  }
  return emitted;
}

/// Objects go through files, which the archive's members are made of.
static llvm::Error writeObjects(const EmittedLibrary &library, const std::string &name,
                                const std::string &folder, unsigned threads,
                                std::vector<std::string> &objects) {
  objects.push_back(folder + "/" + name + "_driver.o");
  if (llvm::Error failure = compileDriver(writeDriver(library.programs), folder, objects.back()))
    return failure;
  auto functions = library.functions.compile(CodeForm::Object, threads);
  if (!functions)
    return functions.takeError();
  for (const TileFunctions::Compiled &function : *functions) {
    objects.push_back(folder + "/" + function.symbol + ".o");
    if (llvm::Error failure = writeFile(objects.back(), function.code))
      return failure;
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
  if (llvm::Error failure = writeFile(directory + "/" + name + ".h", writeHeader(name, library.programs)))
    return failure;
  return writeFile(directory + "/" + name + "_c.h", writeCHeader(name, library.programs));
}

} // namespace heed
