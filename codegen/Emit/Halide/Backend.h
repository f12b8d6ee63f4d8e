//===- Backend.h - The back end -------------------------------*- C++ -*-===//
///
/// \file
/// From a fused kernel to its program and tile functions, through Halide. Only this folder includes Halide;
/// this header does not.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_BACKEND_H
#define HEED_CODEGEN_EMIT_HALIDE_BACKEND_H

#include "Dialect/Heed.h"
#include "Emit/Program.h"
#include "Emit/TileFunctions.h"
#include "Schedule/ScheduleChoice.h"
#include "Target/Target.h"

#include <memory>

namespace heed {

struct HalideTarget;

class HalideBackend {
public:
  explicit HalideBackend(const Target &target);

  const Target &target() const;

  /// What schedules must fit.
  ScheduleLimits limits() const;

  /// Every operation of a kernel that does work, with its default schedule.
  void addOperations(ir::KernelOp kernel, ScheduledOperations &operations) const;

  /// Emits a kernel whose operands all have views (insertCopies). Reports faults on the operation.
  llvm::FailureOr<program::Program> emit(ir::KernelOp kernel, const ScheduleChoices &schedules,
                                         TileFunctions &functions) const;

private:
  std::shared_ptr<const HalideTarget> halide;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_BACKEND_H
