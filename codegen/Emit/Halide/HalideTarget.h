//===- HalideTarget.h - A target as kernels see it --------------*- C++ -*-===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_HALIDETARGET_H
#define HEED_CODEGEN_EMIT_HALIDE_HALIDETARGET_H

#include "Kernels/Device/DeviceFunction.h"
#include "Schedule/Schedule.h"
#include "Target/Target.h"

#include <optional>

namespace heed {

struct HalideTarget {
  explicit HalideTarget(const Target &target);

  Target target;
  kernels::CpuTarget cpu; ///< of all code that the CPU runs
  std::optional<kernels::DeviceTarget> device;

  ScheduleLimits limits() const {
    return device ? ScheduleLimits(device->sharedBytes, device->blockThreads) : ScheduleLimits(cpu.lanes);
  }
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_HALIDETARGET_H
