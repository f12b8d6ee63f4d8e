//===- AssignSchedules.h - One schedule per operation -----------*- C++ -*-===//
#ifndef HEED_CODEGEN_EMIT_ASSIGNSCHEDULES_H
#define HEED_CODEGEN_EMIT_ASSIGNSCHEDULES_H

#include "Emit/Halide/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace heed {

/// Schedules of every operation that does work: the defaults, then what a file (if any) says. The file may
/// speak of all kernels of `spec`, which holds at least `kernels`.
llvm::Expected<ScheduleTable> assignSchedules(mlir::ModuleOp kernels, mlir::ModuleOp spec,
                                              const HalideBackend &backend, const std::string &scheduleFile);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_ASSIGNSCHEDULES_H
