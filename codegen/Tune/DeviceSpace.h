//===- DeviceSpace.h - Schedules for devices worth a look -------*- C++ -*-===//
#ifndef HEED_CODEGEN_TUNE_DEVICESPACE_H
#define HEED_CODEGEN_TUNE_DEVICESPACE_H

#include "Tune/Problem.h"

#include <functional>

namespace heed::tune {

using AddSchedule = std::function<void(const Schedule &)>;

/// Whether the family for few rows runs.
bool runsFewRows(const DeviceAttentionSchedule &schedule, const Problem &problem);

/// Shapes of blocks and of what a thread keeps in registers, up to the operands' sizes.
void addDeviceSpace(const DeviceAttentionSchedule &standard, const Problem &problem, const AddSchedule &add);
void addDeviceSpace(const DeviceScoresSchedule &standard, const Problem &problem, const AddSchedule &add);
void addDeviceSpace(const DeviceLinearSchedule &standard, const Problem &problem, const AddSchedule &add);
void addDeviceSpace(const DeviceMatmulSchedule &standard, const Problem &problem, const AddSchedule &add);
void addDeviceSpace(const DeviceRowsSchedule &standard, const Problem &problem, const AddSchedule &add);
void addDeviceSpace(const DeviceMapSchedule &standard, const Problem &problem, const AddSchedule &add);

/// Relative costs. A thread loads rowTile + columnTile values for rowTile · columnTile multiply-adds, and
/// blocks that reach beyond the operands compute for nothing.
double deviceCost(const DeviceAttentionSchedule &s, const Problem &problem);
double deviceCost(const DeviceScoresSchedule &s, const Problem &problem);
double deviceCost(const DeviceLinearSchedule &s, const Problem &problem);
double deviceCost(const DeviceMatmulSchedule &s, const Problem &problem);
double deviceCost(const DeviceRowsSchedule &s, const Problem &problem);
double deviceCost(const DeviceMapSchedule &s, const Problem &problem);

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_DEVICESPACE_H
