//===- ScheduleText.h - Schedules in words ----------------------*- C++ -*-===//
#ifndef HEED_TOOLS_SCHEDULETEXT_H
#define HEED_TOOLS_SCHEDULETEXT_H

#include "Schedule/ScheduleChoice.h"

namespace heed::tools {

/// Of each operation: the schedules, the sizes that choose between them, and where they are from.
std::string schedulesText(const ScheduleChoices &schedules);

} // namespace heed::tools

#endif // HEED_TOOLS_SCHEDULETEXT_H
