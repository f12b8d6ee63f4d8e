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
