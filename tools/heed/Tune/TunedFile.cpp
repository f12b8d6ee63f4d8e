#include "Tune/TunedFile.h"

#include "Support/Names.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heed::tools {

namespace {

constexpr std::string_view machineWords = "tuned on ";

std::vector<std::string> namesOf(const std::map<std::string, std::int64_t> &sizes) {
  std::vector<std::string> names;
  for (const auto &[name, value] : sizes)
    names.push_back(name);
  return names;
}

/// Now, before time is spent on what could not be kept.
void requireWritable(const fs::path &path) {
  fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder))
    throw ToolError(
        fmt::format("--out: there is no folder '{}'; make it, or write another path", folder.string()));
  if (fs::is_directory(path))
    throw ToolError(fmt::format("--out: '{}' is a folder, a file is needed", path.string()));
  if (access(folder.c_str(), W_OK) != 0 || (fs::exists(path) && access(path.c_str(), W_OK) != 0))
    throw ToolError(fmt::format("--out: '{}' can't be written ({}); write another path", path.string(),
                                std::strerror(errno)));
}

} // namespace

TunedFile::TunedFile(fs::path given, const std::string &target, const ScheduleLimits &limits,
                     const ScheduledOperations &operations)
    : path(std::move(given)) {
  requireWritable(path);
  file.target = target;
  if (!fs::exists(path))
    return;
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::string held;
  if (std::optional<std::string> fault = parseScheduleTarget(text.str(), path.string(), held))
    throw ToolError(*fault);
  if (held.empty())
    throw ToolError(
        fmt::format("{}: target: found none, {} is needed, since a schedule that was tuned holds for "
                    "it alone; add the line 'target {}', or write another path with --out",
                    path.string(), target, target));
  if (held != target)
    throw ToolError(
        fmt::format("{}: target: found schedules for {}, {} is tuned for; write another path with "
                    "--out, or add --target {}",
                    path.string(), held, target, held));
  if (std::optional<std::string> fault =
          parseScheduleFile(text.str(), path.string(), limits, operations, file))
    throw ToolError(*fault);
}

std::optional<Schedule> TunedFile::find(const std::string &operation,
                                        const std::map<std::string, std::int64_t> &sizes) const {
  auto entries = file.entries.find(operation);
  if (entries != file.entries.end())
    for (const SizedSchedule &entry : entries->second)
      if (entry.sizes == sizes)
        return entry.schedule;
  return std::nullopt;
}

void TunedFile::requireSameSymbols(const std::string &operation,
                                   const std::map<std::string, std::int64_t> &sizes) const {
  auto entries = file.entries.find(operation);
  if (entries == file.entries.end())
    return;
  for (const SizedSchedule &entry : entries->second)
    if (!entry.sizes.empty() && namesOf(entry.sizes) != namesOf(sizes))
      throw ToolError(fmt::format("{}: {}: found an entry at {}, entries at {} are needed beside those of "
                                  "`heed tune`; remove it, or write another path with --out",
                                  path.string(), operation, joined(namesOf(entry.sizes)),
                                  joined(namesOf(sizes))));
}

void TunedFile::put(const TunedEntry &tuned) {
  std::vector<SizedSchedule> &entries = file.entries[tuned.operation];
  std::optional<std::int64_t> product = sizeProduct(tuned.sizes);
  std::erase_if(entries, [&](const SizedSchedule &entry) {
    return entry.sizes.empty() == tuned.sizes.empty() && sizeProduct(entry.sizes) == product;
  });
  if (!tuned.isDefault || !entries.empty())
    entries.push_back({tuned.sizes, tuned.schedule, tuned.comments});
  if (entries.empty())
    file.entries.erase(tuned.operation);
}

void TunedFile::setMachine(const std::string &text) {
  std::erase_if(file.comments, [](const std::string &line) { return line.starts_with(machineWords); });
  file.comments.push_back(std::string(machineWords) + text);
}

void TunedFile::write() const {
  fs::path fresh = path;
  fresh += fmt::format(".{}", getpid());
  std::ofstream stream(fresh, std::ios::binary);
  stream << printScheduleFile(file);
  stream.close();
  std::error_code error;
  if (stream)
    fs::rename(fresh, path, error);
  if (!stream || error)
    throw ToolError(fmt::format("{}: can't be written", path.string()));
}

} // namespace heed::tools
