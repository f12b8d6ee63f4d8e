#pragma once
/// \file
/// Where the memory of a call comes from: the caller's allocator, or the C library with a few blocks kept per
/// thread, so that a repeated small call allocates nothing.

#include "heed/abi.h"

#include <cstddef>
#include <cstdint>

namespace heed::runtime {

struct block {
  std::byte *memory = nullptr;
  std::uint64_t bytes = 0;
};

/// What a block serves: the sizes and places of a call, its temporaries, the scratch of its tiles. A thread
/// keeps one block of each.
enum class block_use { tables, arena, scratch };

/// Blocks above this size go back to the C library at the end of a call. Temporaries of layers are some tens
/// of megabytes, and fresh pages cost a call more than its smaller kernels.
constexpr std::uint64_t kept_bytes(block_use use) noexcept {
  return use == block_use::arena ? 64 << 20 : 1 << 20;
}

class memory {
public:
  explicit memory(const heed_allocator *allocator) noexcept : allocator_(allocator) {}

  /// 64-byte aligned, or an empty block.
  block allocate(std::uint64_t bytes) const noexcept;
  void release(block block) const noexcept;

  /// The calling thread's kept block of any size, or an empty one; then a block to keep. A caller's allocator
  /// gets everything back at once.
  block take_kept(block_use use) const noexcept;
  void keep(block_use use, block block) const noexcept;

private:
  const heed_allocator *allocator_;
};

} // namespace heed::runtime
