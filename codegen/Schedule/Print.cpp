#include "Fields.h"

using namespace heed;

std::string heed::printSchedule(std::string_view name, const Schedule &schedule) {
  return std::visit(
      [&](auto copy) {
        std::string text = std::string(kindName(copy)) + " " + std::string(name) + " {\n";
        visitFields(copy, [&](std::string_view field, auto &value) {
          text += "  " + std::string(field) + " " + std::to_string(value) + "\n";
        });
        return text + "}\n";
      },
      schedule);
}

std::string heed::printSchedules(const ScheduleTable &table) {
  std::string text;
  for (const auto &[name, schedule] : table)
    text += printSchedule(name, schedule);
  return text;
}
