//===- Schedules.h - Random schedules ---------------------------*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_RANDOM_SCHEDULES_H
#define HEED_TESTS_CODEGEN_RANDOM_SCHEDULES_H

#include "Dice.h"
#include "Schedule/Schedule.h"

namespace heed::tests {

/// Small tiles, which compile fast and have many edges, and a random choice of the family that runs. Names of
/// operations start with the name of their kernel, which is "k" and its seed.
void drawSchedules(ScheduleTable &schedules, int lanes);

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_RANDOM_SCHEDULES_H
