//===- TunedFile.h - The schedule file that a search writes -----*- C++ -*-===//
///
/// \file
/// Entries of one kernel at tuned sizes, put into a schedule file that may hold others, which are kept.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_TUNEDFILE_H
#define HEED_TOOLS_TUNEDFILE_H

#include "Schedule/ScheduleFile.h"

#include <filesystem>

namespace heed::tools {

/// A schedule that a search ended with.
struct TunedEntry {
  std::string operation;
  std::map<std::string, std::int64_t> sizes;
  Schedule schedule;
  bool isDefault = false;
  std::vector<std::string> comments;
};

class TunedFile {
public:
  /// Reads the file, if there is one. Throws ToolError when it can't be read or written, or holds for
  /// another target.
  TunedFile(std::filesystem::path path, const std::string &target, const ScheduleLimits &limits,
            const ScheduledOperations &operations);

  /// The schedule of an operation at exactly these sizes.
  std::optional<Schedule> find(const std::string &operation,
                               const std::map<std::string, std::int64_t> &sizes) const;

  /// Throws ToolError when an operation has entries that name other extents, since a file can't mix them.
  void requireSameSymbols(const std::string &operation,
                          const std::map<std::string, std::int64_t> &sizes) const;

  /// Replaces the entry of the operation at these sizes. A default is only written beside other entries of
  /// its operation, which would else hold at its sizes, too.
  void put(const TunedEntry &entry);

  /// The machine, in the comments at the head: one line per machine and target.
  void setMachine(const std::string &text);

  /// Through a new file, so that a reader sees the old or the new one.
  void write() const;

  const std::filesystem::path &where() const { return path; }

private:
  std::filesystem::path path;
  ScheduleFile file;
};

} // namespace heed::tools

#endif // HEED_TOOLS_TUNEDFILE_H
