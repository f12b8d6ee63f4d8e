#include "Kernels/ScheduleText.h"

#include "Schedule/Fields.h"

#include <fmt/format.h>

namespace heed::tools {

namespace {

/// "query_block 64, key_chunk 512, …"
std::string fieldsText(Schedule schedule) {
  std::string text;
  std::visit(
      [&](auto &fields) {
        visitFields(fields, [&](std::string_view name, auto &value) {
          text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
        });
      },
      schedule);
  return text;
}

/// " for keys*queries <= 512", " otherwise"
std::string conditionText(const ScheduleChoice &choice, const ScheduleChoice::Range &range) {
  if (choice.ranges.size() == 1)
    return "";
  return range.atMost < 0 ? " otherwise"
                          : fmt::format(" for {} <= {}", fmt::join(choice.symbols, "*"), range.atMost);
}

} // namespace

std::string schedulesText(const ScheduleChoices &schedules) {
  std::string text = schedules.empty() ? "" : "  schedules\n";
  for (const auto &[operation, choice] : schedules)
    for (const ScheduleChoice::Range &range : choice.ranges)
      text += fmt::format("    {}{}: {}\n      {}\n", operation, conditionText(choice, range), range.origin,
                          fieldsText(range.schedule));
  return text;
}

} // namespace heed::tools
