//===- ScheduleChoice.h - Which schedule runs at which size -----*- C++ -*-===//
///
/// \file
/// The schedules of an operation as its program holds them: the product of some symbolic extents decides, by
/// limits at the geometric mean of the products of neighbouring entries, so that the entry runs whose product
/// is nearest in ratio.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SCHEDULE_SCHEDULECHOICE_H
#define HEED_CODEGEN_SCHEDULE_SCHEDULECHOICE_H

#include "ScheduleFile.h"

namespace heed {

struct ScheduleChoice {
  struct Range {
    Schedule schedule;
    int64_t atMost = -1;            ///< largest product that it runs for; -1: no limit
    std::string origin = "default"; ///< "default", or FILE:LINE of each entry, with its sizes
  };
  std::vector<std::string> symbols; ///< that the product has; empty if there is one range
  std::vector<Range> ranges;        ///< in rising order; only the last one has no limit
};

/// Schedules by the name of the fused operation.
using ScheduleChoices = std::map<std::string, ScheduleChoice>;

/// The choice between the entries of one operation, read from `file`. Neighbours with equal schedules are
/// one.
ScheduleChoice chooseBySize(std::vector<SizedSchedule> entries, const std::string &file);

/// One schedule for each operation.
ScheduleChoices withoutSizes(const ScheduleTable &schedules);

} // namespace heed

#endif // HEED_CODEGEN_SCHEDULE_SCHEDULECHOICE_H
