//===- EmitLibrary.h - From fused kernels to their files --------*- C++ -*-===//
///
/// \file
/// Schedule, emit, write: the second half of the way through, in the steps at which `--emit` can stop.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_EMITLIBRARY_H
#define HEED_CODEGEN_EMIT_EMITLIBRARY_H

#include "Emit/Halide/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace heed {

/// Schedules of every operation that does work: the defaults, then what a file (if any) says. The file may
/// speak of all kernels of `spec`, which holds at least `kernels`.
llvm::Expected<ScheduleTable> assignSchedules(mlir::ModuleOp kernels, mlir::ModuleOp spec,
                                              const HalideBackend &backend, const std::string &scheduleFile);

struct EmittedLibrary {
  std::vector<program::Program> programs;
  TileFunctions functions;
};

/// Programs and tile functions of all kernels; functions are named after `library`.
llvm::Expected<EmittedLibrary> emitKernels(mlir::ModuleOp kernels, const HalideBackend &backend,
                                           const ScheduleTable &schedules, const std::string &library);

/// libNAME.a, NAME.h and NAME_c.h in `directory`.
llvm::Error writeLibrary(const EmittedLibrary &library, const std::string &name, const std::string &directory,
                         unsigned threads);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_EMITLIBRARY_H
