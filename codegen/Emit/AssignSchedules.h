//===- AssignSchedules.h - The schedules of a library -----------*- C++ -*-===//
///
/// \file
/// For each target the schedules are those of the file that was given, else of the files that lie beside the
/// spec's sources, else the defaults; operations that a file does not name have the defaults, too. A file
/// that is there is read: what is wrong with it is an error, never a reason to pass it by.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_ASSIGNSCHEDULES_H
#define HEED_CODEGEN_EMIT_ASSIGNSCHEDULES_H

#include "Emit/Halide/Backend.h"
#include "mlir/IR/BuiltinOps.h"

namespace heed {

struct ScheduleSources {
  std::string given;                ///< a file; empty: none
  std::vector<std::string> sources; ///< of the spec: SOURCE's STEM.TARGET.schedule is looked for beside each
  std::vector<std::string> targets; ///< all that are compiled; a file for none of them is an error
  bool passesEmpty = false;         ///< an empty file beside a source is one that is only being written
};

struct ScheduleText {
  std::string path, text;
};

/// The files that hold for a target. A given file for another target is passed over if that is compiled, too.
llvm::Expected<std::vector<ScheduleText>> findSchedules(const ScheduleSources &sources,
                                                        const std::string &target);

struct AssignedSchedules {
  ScheduleFile file;       ///< every operation, with its entries of all files or its default
  ScheduleChoices choices; ///< the same, as programs hold it
};

/// Schedules of every operation of `kernels` that does work. Files may speak of all kernels of `spec`, which
/// holds at least `kernels`.
llvm::Expected<AssignedSchedules> assignSchedules(mlir::ModuleOp kernels, mlir::ModuleOp spec,
                                                  const HalideBackend &backend, const std::string &target,
                                                  llvm::ArrayRef<ScheduleText> files);

/// The operations that do work, with their defaults.
ScheduledOperations scheduledOperations(mlir::ModuleOp kernels, const HalideBackend &backend);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_ASSIGNSCHEDULES_H
