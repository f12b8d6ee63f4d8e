#include "Measure/PeakMemory.h"

#include <algorithm>
#include <cstdlib>

namespace heed::tools {

void *PeakMemory::allocate(void *self, std::uint64_t bytes) {
  constexpr std::uint64_t alignment = 64;
  void *memory = std::aligned_alloc(alignment, (std::max<std::uint64_t>(bytes, 1) + alignment - 1) /
                                                   alignment * alignment);
  auto &counter = *static_cast<PeakMemory *>(self);
  std::lock_guard lock(counter.mutex);
  if (memory) {
    counter.live[memory] = bytes;
    counter.current += bytes;
    counter.largest = std::max(counter.largest, counter.current);
  }
  return memory;
}

void PeakMemory::release(void *self, void *memory) {
  auto &counter = *static_cast<PeakMemory *>(self);
  {
    std::lock_guard lock(counter.mutex);
    auto entry = counter.live.find(memory);
    if (entry != counter.live.end()) {
      counter.current -= entry->second;
      counter.live.erase(entry);
    }
  }
  std::free(memory);
}

} // namespace heed::tools
