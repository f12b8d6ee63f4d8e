//===- EmitLibrary.h - From fused kernels to their files --------*- C++ -*-===//
///
/// \file
/// Schedule, emit, write: the second half of the way through, in the steps at which `--emit` can stop.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_EMITLIBRARY_H
#define HEED_CODEGEN_EMIT_EMITLIBRARY_H

#include "Emit/AssignSchedules.h"
#include "mlir/IR/BuiltinOps.h"

namespace heed {

/// The kernels of a library for one CPU level.
struct EmittedLevel {
  std::vector<program::Program> programs;
  TileFunctions functions;
};

/// The same kernels for every level, highest first.
struct EmittedLibrary {
  std::vector<EmittedLevel> levels;

  const std::vector<program::Program> &programs() const { return levels.front().programs; }
};

/// What the functions of a level are named after: the library, and the level where there are several.
std::string functionPrefix(const std::string &library, heed_cpu_level level, size_t levelCount);

/// Programs and tile functions of all kernels for the backend's level.
llvm::Expected<EmittedLevel> emitKernels(mlir::ModuleOp kernels, const HalideBackend &backend,
                                         const ScheduleChoices &schedules, const std::string &prefix);

/// The C text of all programs.
std::string driverText(const EmittedLibrary &library);

/// libNAME.a, NAME.h and NAME_c.h in `directory`.
llvm::Error writeLibrary(const EmittedLibrary &library, const std::string &name, const std::string &directory,
                         unsigned threads);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_EMITLIBRARY_H
