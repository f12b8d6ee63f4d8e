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
#include "Schedule/Schedule.h"

#include <memory>

namespace heed {

namespace kernels {
struct CpuTarget;
}

class HalideBackend {
public:
  /// "host" or a CPU such as x86-64-linux-avx2-fma.
  static llvm::Expected<HalideBackend> create(llvm::StringRef target);

  /// 32-bit elements of one vector.
  int lanes() const;

  /// Adds the default schedule of every operation that does work, under the operation's name.
  void addDefaultSchedules(ir::KernelOp kernel, ScheduleTable &schedules) const;

  /// Emits a kernel whose operands all have views (insertCopies). Reports faults on the operation.
  llvm::FailureOr<program::Program> emit(ir::KernelOp kernel, const ScheduleTable &schedules,
                                         TileFunctions &functions) const;

private:
  std::shared_ptr<const kernels::CpuTarget> target;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_BACKEND_H
