#include "scratch.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

namespace heed::runtime {

/// In front of an allocation outside the block, in a cache line of its own.
struct alignas(64) scratch::overflow_header {
  block whole;
  overflow_header *before;
};

// A tile function that fails may leave memory behind.
scratch::~scratch() {
  while (last_outside_)
    release_outside();
  source_.keep(block_use::scratch, block_);
}

/// Before the first allocation of a tile: the block may be replaced, since nothing lies in it.
bool scratch::make_room(std::uint64_t bytes) noexcept {
  if (!block_.memory)
    block_ = source_.take_kept(block_use::scratch);
  const std::uint64_t wanted = std::max(most_, bytes);
  if (block_.bytes >= wanted)
    return true;
  source_.release(std::exchange(block_, {}));
  block_ = source_.allocate(wanted);
  return block_.memory != nullptr;
}

void *scratch::allocate_outside(std::uint64_t bytes) noexcept {
  const block whole = source_.allocate(bytes + sizeof(overflow_header));
  if (!whole.memory)
    return nullptr;
  last_outside_ = new (whole.memory) overflow_header{whole, last_outside_};
  outside_ += whole.bytes - sizeof(overflow_header);
  return whole.memory + sizeof(overflow_header);
}

void scratch::release_outside() noexcept {
  const overflow_header header = *last_outside_;
  last_outside_ = header.before;
  outside_ -= header.whole.bytes - sizeof(overflow_header);
  source_.release(header.whole);
}

void *scratch::allocate(std::uint64_t bytes) noexcept {
  void *result = nullptr;
  if (bytes <= PTRDIFF_MAX / 2) {
    bytes = std::max<std::uint64_t>(64, (bytes + 63) / 64 * 64);
    const bool at_start = used_ == 0 && outside_ == 0;
    if (at_start && !make_room(bytes)) {
      failed_ = true;
      return nullptr;
    }
    if (block_.bytes - used_ >= bytes) {
      result = block_.memory + used_;
      used_ += bytes;
    } else {
      result = allocate_outside(bytes);
    }
    most_ = std::max(most_, used_ + outside_);
  }
  failed_ |= result == nullptr;
  return result;
}

void scratch::release(void *memory) noexcept {
  if (!memory)
    return;
  auto *const start = static_cast<std::byte *>(memory);
  const std::less<> before;
  if (block_.memory && !before(start, block_.memory) && before(start, block_.memory + block_.bytes)) {
    used_ = static_cast<std::uint64_t>(start - block_.memory);
    return;
  }
  release_outside();
}

} // namespace heed::runtime

void *heed_scratch_allocate(void *context, uint64_t bytes) {
  return context ? static_cast<heed::runtime::scratch *>(context)->allocate(bytes) : nullptr;
}

void heed_scratch_release(void *context, void *memory) {
  if (context)
    static_cast<heed::runtime::scratch *>(context)->release(memory);
}
