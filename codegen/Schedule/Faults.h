//===- Faults.h - What can be wrong with a field ----------------*- C++ -*-===//
//
// Each returns `<field> is <value>, needed <…>`, or nothing.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SCHEDULE_FAULTS_H
#define HEED_CODEGEN_SCHEDULE_FAULTS_H

#include "Schedule.h"

#include <initializer_list>

namespace heed::schedule {

using Fault = std::optional<std::string>;

Fault atLeast(std::string_view field, int64_t value, int64_t least);
Fault atMost(std::string_view field, int64_t value, int64_t most);
Fault multiple(std::string_view field, int64_t value, int64_t unit, std::string_view why);
Fault divides(std::string_view field, int64_t value, std::string_view ofField, int64_t of);

/// The first fault of several.
Fault firstOf(std::initializer_list<Fault> faults);

Fault check(const DeviceAttentionSchedule &s, const ScheduleLimits &limits);
Fault check(const DeviceLinearSchedule &s, const ScheduleLimits &limits);
Fault check(const DeviceScoresSchedule &s, const ScheduleLimits &limits);
Fault check(const DeviceMatmulSchedule &s, const ScheduleLimits &limits);
Fault check(const DeviceRowsSchedule &s, const ScheduleLimits &limits);
Fault check(const DeviceMapSchedule &s, const ScheduleLimits &limits);

} // namespace heed::schedule

#endif // HEED_CODEGEN_SCHEDULE_FAULTS_H
