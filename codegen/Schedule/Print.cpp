#include "Fields.h"
#include "ScheduleFile.h"

#include <algorithm>

namespace heed {

namespace {

std::string entryText(const std::string &head, const Schedule &schedule) {
  return std::visit(
      [&](auto copy) {
        std::string text = std::string(kindName(copy)) + " " + head + " {\n";
        visitFields(copy, [&](std::string_view field, auto &value) {
          text += "  " + std::string(field) + " " + std::to_string(value) + "\n";
        });
        return text + "}\n";
      },
      schedule);
}

/// One comment line per line of the comment, without the characters that a file can't hold.
std::string commentText(std::string_view comment) {
  std::string text;
  for (size_t at = 0; at <= comment.size();) {
    const size_t end = std::min(comment.find('\n', at), comment.size());
    std::string line(comment.substr(at, end - at));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; }, ' ');
    text += (line.empty() ? "#" : "# ") + line + "\n";
    at = end + 1;
  }
  return text;
}

std::string commentText(const std::vector<std::string> &comments) {
  std::string text;
  for (const std::string &comment : comments)
    text += commentText(comment);
  return text;
}

} // namespace

std::string printSchedule(std::string_view name, const Schedule &schedule) {
  return entryText(std::string(name), schedule);
}

std::string printScheduleFile(const ScheduleFile &file) {
  std::string text = "heed schedules " + std::to_string(scheduleFormVersion) + "\n";
  if (!file.target.empty())
    text += "target " + file.target + "\n";
  text += commentText(file.comments);
  for (auto [name, entries] : file.entries) {
    sortEntries(entries);
    for (const SizedSchedule &entry : entries) {
      std::string head = name;
      for (const auto &[symbol, size] : entry.sizes)
        head += (head == name ? " at " : " ") + symbol + "=" + std::to_string(size);
      text += "\n" + commentText(entry.comments) + entryText(head, entry.schedule);
    }
  }
  return text;
}

} // namespace heed
