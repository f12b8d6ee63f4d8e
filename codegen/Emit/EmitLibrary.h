//===- EmitLibrary.h - From fused kernels to their files --------*- C++ -*-===//
///
/// \file
/// Schedule, emit, write: the second half of the way through, in the steps at which `--emit` can stop.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_EMITLIBRARY_H
#define HEED_CODEGEN_EMIT_EMITLIBRARY_H

#include "Emit/AssignSchedules.h"
#include "Target/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace heed {

/// The kernels of a library, each for some targets.
struct EmittedLibrary {
  std::vector<TileFunctions> functions;                ///< per target
  std::vector<std::vector<program::Program>> programs; ///< per kernel, for its first target first

  /// Those of each kernel's first target.
  std::vector<program::Program> highest() const;
};

/// The targets of a text (parseTarget) that some kernel has code of its own for.
llvm::Expected<Targets> targetsOf(mlir::ModuleOp kernels, llvm::StringRef target);

/// The schedules of all kernels for a target.
using SchedulesFor = llvm::function_ref<llvm::Expected<ScheduleChoices>(const HalideBackend &)>;

/// Programs and functions for all targets of a text: of each kernel, those that have code of their own for
/// it.
llvm::Expected<EmittedLibrary> emitLibrary(mlir::ModuleOp kernels, llvm::StringRef target,
                                           const std::string &name, SchedulesFor schedules);

/// The C text of all programs.
std::string driverText(const EmittedLibrary &library);

/// libNAME.a, NAME.h and NAME_c.h in `directory`.
llvm::Error writeLibrary(const EmittedLibrary &library, const std::string &name, const std::string &directory,
                         unsigned threads);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_EMITLIBRARY_H
