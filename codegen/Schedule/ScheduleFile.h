//===- ScheduleFile.h - Schedules as a text file ----------------*- C++ -*-===//
///
/// \file
/// What a SCHEDULE file holds, as a value; docs/schedules.md is the reference of the form. Reading what was
/// printed gives the same value, and printing what was read gives the canonical text: entries in the order of
/// their operations and sizes, one field per line.
///
///   heed schedules 1                  # version of the form
///   target x86-64-v4                  # the entries hold for this target only
///
///   # 81 % of the peak
///   attention block.attention at keys=512 queries=512 {
///     query_block 64
///   }
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SCHEDULE_SCHEDULEFILE_H
#define HEED_CODEGEN_SCHEDULE_SCHEDULEFILE_H

#include "Schedule.h"

#include <vector>

namespace heed {

/// The version of the form that is written, the newest that is read.
inline constexpr int scheduleFormVersion = 1;

/// One entry: a schedule of an operation for sizes near these.
struct SizedSchedule {
  std::map<std::string, int64_t> sizes; ///< symbolic extents of the operation by name; empty: for any size
  Schedule schedule;
  std::vector<std::string> comments = {}; ///< lines above the entry, without `# `
  int line = 0;                           ///< where it was read; not part of the value

  bool operator==(const SizedSchedule &other) const {
    return sizes == other.sizes && schedule == other.schedule && comments == other.comments;
  }
};

/// Per operation at most one entry for any size, and any number of entries that name the same extents and
/// differ in the product of these.
struct ScheduleFile {
  std::string target;                ///< empty: the entries hold for every target
  std::vector<std::string> comments; ///< lines at the head of the file, without `# `
  std::map<std::string, std::vector<SizedSchedule>> entries;

  bool operator==(const ScheduleFile &) const = default;
};

/// An operation that entries may speak of.
struct ScheduledOperation {
  Schedule defaults;                ///< its kind, and the fields that no entry names
  std::vector<std::string> symbols; ///< its symbolic extents, which `at` may name
};
using ScheduledOperations = std::map<std::string, ScheduledOperation>;

/// The product of sizes, by which the nearest entry is found; nothing if it is above 2^63 - 1.
std::optional<int64_t> sizeProduct(const std::map<std::string, int64_t> &sizes);

/// Puts the entries of one operation in order: that for any size, then by the product of the sizes.
void sortEntries(std::vector<SizedSchedule> &entries);

/// The canonical text. Comments of several lines and entries in any order are put in order.
std::string printScheduleFile(const ScheduleFile &file);

/// Reads a file of schedules within limits into `result`. Fields that an entry does not name are those
/// of the operation's entry for any size, or else the defaults. Returns nothing, or the first fault as
/// `FILE:LINE: <entry>: <found>, <needed>; <what to write instead>`, and then leaves `result` alone.
std::optional<std::string> parseScheduleFile(std::string_view text, std::string_view file,
                                             const ScheduleLimits &limits,
                                             const ScheduledOperations &operations, ScheduleFile &result);

/// Reads the lines before the first entry alone: the target, for whose limits the entries are to be read.
std::optional<std::string> parseScheduleTarget(std::string_view text, std::string_view file,
                                               std::string &target);

} // namespace heed

#endif // HEED_CODEGEN_SCHEDULE_SCHEDULEFILE_H
