//===- Backend.h - The CPU back end ---------------------------*- C++ -*-===//
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

#include <memory>

namespace heed {

namespace kernels {
struct CpuTarget;
}

class HalideBackend {
public:
  /// For code of one CPU level.
  explicit HalideBackend(heed_cpu_level level);

  heed_cpu_level level() const;

  /// 32-bit elements of one vector.
  int lanes() const;

  /// Every operation of a kernel that does work, with its default schedule.
  void addOperations(ir::KernelOp kernel, ScheduledOperations &operations) const;

  /// Emits a kernel whose operands all have views (insertCopies). Reports faults on the operation.
  llvm::FailureOr<program::Program> emit(ir::KernelOp kernel, const ScheduleChoices &schedules,
                                         TileFunctions &functions) const;

private:
  std::shared_ptr<const kernels::CpuTarget> target;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_BACKEND_H
