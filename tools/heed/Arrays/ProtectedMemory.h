//===- ProtectedMemory.h - Memory between pages that fault ------*- C++ -*-===//
///
/// \file
/// Memory whose neighbours on both sides can be neither read nor written, and words for what happens when a
/// kernel tries: a masked vector load may well read nothing wrong and still reach a page that isn't there.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PROTECTEDMEMORY_H
#define HEED_TOOLS_PROTECTEDMEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace heed::tools {

/// `bytes` of memory, at its end directly before a page that faults, at its beginning at most a page behind
/// one.
class ProtectedMemory {
public:
  explicit ProtectedMemory(std::size_t bytes);
  ~ProtectedMemory();
  ProtectedMemory(ProtectedMemory &&other) noexcept;
  ProtectedMemory &operator=(ProtectedMemory &&) = delete;

  std::byte *data() { return first; }
  const std::byte *data() const { return first; }
  std::size_t size() const { return bytes; }

  /// Whether the address lies in this memory's own pages, those that fault among them.
  bool surrounds(const void *address) const;

private:
  std::byte *mapping;
  std::size_t mapped;
  std::byte *first;
  std::size_t bytes;
};

/// While it lives, a fault ends the program with status 1 after printing "heed: " and the sentence that
/// `explain` returns for the address.
class FaultReport {
public:
  using Explain = const char *(*)(void *closure, const void *address);
  FaultReport(Explain explain, void *closure);
  ~FaultReport();
  FaultReport(const FaultReport &) = delete;
  FaultReport &operator=(const FaultReport &) = delete;
};

} // namespace heed::tools

#endif // HEED_TOOLS_PROTECTEDMEMORY_H
