#pragma once
/// \file
/// A caller's allocator that counts, and that gives out only so much.

#include <heed/abi.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>

namespace heed::test {

class counting_allocator {
public:
  explicit counting_allocator(std::uint64_t limit = std::numeric_limits<std::uint64_t>::max())
      : limit_(limit) {}

  heed_options options(std::int32_t threads = 0) { return {threads, nullptr, &interface_}; }
  const heed_allocator *get() const { return &interface_; }
  std::uint64_t peak() const { return peak_; }
  std::uint64_t live() const { return live_; }
  int allocations() const { return allocations_; }

private:
  void *allocate(std::uint64_t bytes) {
    std::lock_guard guard(mutex_);
    if (live_ + bytes > limit_)
      return nullptr;
    void *memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    sizes_[memory] = bytes;
    live_ += bytes;
    peak_ = live_ > peak_ ? live_ : peak_;
    ++allocations_;
    return memory;
  }
  void release(void *memory) {
    std::lock_guard guard(mutex_);
    live_ -= sizes_.at(memory);
    sizes_.erase(memory);
    std::free(memory);
  }

  std::uint64_t limit_, live_ = 0, peak_ = 0;
  int allocations_ = 0;
  std::map<void *, std::uint64_t> sizes_;
  std::mutex mutex_;
  heed_allocator interface_{
      [](void *self, std::uint64_t bytes) {
        return static_cast<counting_allocator *>(self)->allocate(bytes);
      },
      [](void *self, void *memory) { static_cast<counting_allocator *>(self)->release(memory); }, this};
};

} // namespace heed::test
