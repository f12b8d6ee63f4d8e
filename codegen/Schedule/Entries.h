//===- Entries.h - The entries of a schedule file, as written ---*- C++ -*-===//
///
/// \file
/// The first half of reading: from words to entries, before anything is known of the operations. Here ends
/// what is wrong with the form of a file; what its names and numbers mean is ScheduleFile.h's.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SCHEDULE_ENTRIES_H
#define HEED_CODEGEN_SCHEDULE_ENTRIES_H

#include "Words.h"

#include <cstdint>
#include <map>
#include <optional>

namespace heed {

using Fault = std::optional<std::string>;

/// FILE:LINE: <subject>: <found, needed; instead>
std::string faultAt(std::string_view file, int line, std::string_view subject, std::string_view rest);

struct WrittenField {
  Word name, value;
};

struct WrittenEntry {
  Word kind, name;
  std::map<std::string, int64_t> sizes;
  std::vector<WrittenField> fields;
  std::vector<std::string> comments; ///< above it, inside, and behind its brace

  /// "attention block.attention at queries=512", shortened
  std::string subject() const;
};

struct WrittenFile {
  std::string target;
  std::vector<std::string> comments; ///< at the head of the file, then those behind the last entry
  std::vector<WrittenEntry> entries;
};

/// The version and the target.
Fault readHead(const Words &words, std::string_view file, WrittenFile &result);
/// All of a file.
Fault readFile(const Words &words, std::string_view file, WrittenFile &result);

} // namespace heed

#endif // HEED_CODEGEN_SCHEDULE_ENTRIES_H
