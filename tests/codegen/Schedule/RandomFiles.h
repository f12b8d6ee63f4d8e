//===- RandomFiles.h - Schedule files of any content ------------*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_SCHEDULE_RANDOMFILES_H
#define HEED_TESTS_CODEGEN_SCHEDULE_RANDOMFILES_H

#include "Schedule/ScheduleFile.h"

#include <random>

namespace heed::tests {

/// Vectors of so many elements, and blocks of threads as devices have them.
ScheduleLimits limitsOf(int lanes);

/// One operation of each kind, with symbolic extents.
ScheduledOperations everyOperation(int lanes);

/// A file of schedules that can be built for `lanes`, in canonical order: with and without a target, comments
/// and sizes.
ScheduleFile randomFile(std::mt19937_64 &random, int lanes);

} // namespace heed::tests

#endif // HEED_TESTS_CODEGEN_SCHEDULE_RANDOMFILES_H
