#include "peak_memory.hpp"

#include "attention.h"
#include "view_of.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

namespace {

// Counts what is allocated at a time. Called from every thread that works on the call.
class counter {
public:
  void *allocate(std::uint64_t bytes) {
    void *memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    const std::lock_guard lock(mutex_);
    sizes_[memory] = bytes;
    current_ += bytes;
    peak_ = std::max(peak_, current_);
    return memory;
  }
  void release(void *memory) {
    const std::lock_guard lock(mutex_);
    current_ -= sizes_[memory];
    sizes_.erase(memory);
    std::free(memory);
  }
  std::uint64_t peak() const { return peak_; }
  std::uint64_t current() const { return current_; }

private:
  std::mutex mutex_;
  std::unordered_map<void *, std::uint64_t> sizes_;
  std::uint64_t current_ = 0, peak_ = 0;
};

} // namespace

bool check_peak_memory() {
  constexpr std::int64_t tokens = 32768;
  const array q = random_array({1, 1, tokens, 64}, 7, 1), k = random_array({1, 1, tokens, 64}, 8, 1);
  const array v = filled(k.shape, 0.5f);
  array y = filled(q.shape, 0);

  counter memory;
  const heed_allocator allocator{
      [](void *self, std::uint64_t bytes) { return static_cast<counter *>(self)->allocate(bytes); },
      [](void *self, void *block) { static_cast<counter *>(self)->release(block); }, &memory};
  const heed::status status = heed_kernels::attention_d64(view_of<4>(q), view_of<4>(k), view_of<4>(v),
                                                          view_of<4>(y), {.allocator = &allocator});
  std::printf("attention_d64, 1 head, %d tokens: at most %.2f MiB allocated at a time %s\n",
              static_cast<int>(tokens), static_cast<double>(memory.peak()) / (1 << 20), status.message());
  // Any weighted mean of equal values is that value.
  const bool right = std::all_of(y.values.begin(), y.values.end(),
                                 [](float value) { return value > 0.49999f && value < 0.50001f; });
  return status.ok() && right && memory.current() == 0 && memory.peak() > 0 && memory.peak() < 8 << 20;
}
