//===- DefaultSchedules.h - The default schedule of an operation -*- C++ -*-===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_DEFAULTSCHEDULES_H
#define HEED_CODEGEN_EMIT_HALIDE_DEFAULTSCHEDULES_H

#include "Dialect/Heed.h"
#include "HalideTarget.h"
#include "Schedule/Schedule.h"

namespace heed {

/// Nothing for an operation that does no work.
std::optional<Schedule> defaultSchedule(mlir::Operation *op, const HalideTarget &target);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_DEFAULTSCHEDULES_H
