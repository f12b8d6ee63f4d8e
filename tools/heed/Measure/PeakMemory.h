//===- PeakMemory.h - Memory of a call --------------------------*- C++ -*-===//
///
/// \file
/// Counts what a call allocates beside its inputs and outputs, through the allocator that a caller can give.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_PEAKMEMORY_H
#define HEED_TOOLS_PEAKMEMORY_H

#include "heed/abi.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace heed::tools {

/// An allocator that remembers the largest sum of live allocations.
class PeakMemory {
public:
  const heed_allocator *allocator() const { return &interface; }
  std::uint64_t peak() const { return largest; }

private:
  static void *allocate(void *self, std::uint64_t bytes);
  static void release(void *self, void *memory);

  heed_allocator interface = {allocate, release, this};
  std::mutex mutex;
  std::map<void *, std::uint64_t> live;
  std::uint64_t current = 0, largest = 0;
};

} // namespace heed::tools

#endif // HEED_TOOLS_PEAKMEMORY_H
