#include "memory.hpp"

#include <cstdlib>
#include <utility>

namespace heed::runtime {
namespace {

constexpr std::uint64_t alignment = 64;

// Trivial, so that a call from another destructor at thread exit still finds them.
thread_local block kept[3];
thread_local bool thread_is_ending = false;

struct release_at_thread_exit {
  ~release_at_thread_exit() {
    thread_is_ending = true;
    for (block &one : kept)
      std::free(std::exchange(one, {}).memory);
  }
  void touch() noexcept {}
};
thread_local release_at_thread_exit release_kept;

} // namespace

block memory::allocate(std::uint64_t bytes) const noexcept {
  if (bytes > PTRDIFF_MAX - alignment)
    return {};
  bytes = (bytes + alignment - 1) / alignment * alignment;
  void *found =
      allocator_ ? allocator_->allocate(allocator_->self, bytes) : std::aligned_alloc(alignment, bytes);
  return found ? block{static_cast<std::byte *>(found), bytes} : block{};
}

void memory::release(block block) const noexcept {
  if (!block.memory)
    return;
  if (allocator_)
    allocator_->release(allocator_->self, block.memory);
  else
    std::free(block.memory);
}

block memory::take_kept(block_use use) const noexcept {
  return allocator_ ? block{} : std::exchange(kept[static_cast<int>(use)], {});
}

void memory::keep(block_use use, block block) const noexcept {
  if (!block.memory)
    return;
  auto &place = kept[static_cast<int>(use)];
  if (allocator_ || block.bytes > kept_bytes(use) || thread_is_ending || place.memory)
    return release(block);
  release_kept.touch();
  place = block;
}

} // namespace heed::runtime
