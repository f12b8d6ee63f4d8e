#pragma once
/// \file
/// Memory of a device that the calls in one queue use one after the other, so that repeated calls allocate
/// nothing. What a call has enqueued may still use a block that it gave back: the queue runs in order.

#include "driver.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace heed::runtime::device {

struct block {
  handle memory = 0;
  std::uint64_t bytes = 0;
};

class blocks {
public:
  blocks(context &context, void *queue) noexcept : context_(context), queue_(queue) {}
  blocks(const blocks &) = delete;
  blocks &operator=(const blocks &) = delete;

  /// An empty block when there is no memory, also not after all that are kept were released.
  block take(std::uint64_t bytes);
  void give_back(block block) noexcept;

  /// Releases all, which nothing may use any more. To be called before the end.
  void clear() noexcept;

  /// A call begins: blocks that the last ones had no use for go.
  void begin_call() noexcept;

private:
  struct kept {
    device::block block;
    std::uint64_t last_call;
  };
  block take_kept(std::uint64_t wanted);

  context &context_;
  void *queue_;
  std::mutex mutex_;
  std::vector<kept> kept_;
  std::size_t taken_ = 0; ///< blocks that calls have
  std::uint64_t calls_ = 0;
};

/// A block for the length of a call.
class lease {
public:
  lease() = default;
  lease(blocks &from, std::uint64_t bytes) : from_(&from), block_(from.take(bytes)) {}
  lease(lease &&other) noexcept : from_(other.from_), block_(std::exchange(other.block_, {})) {}
  lease &operator=(lease &&other) noexcept {
    std::swap(from_, other.from_);
    std::swap(block_, other.block_);
    return *this;
  }
  ~lease() {
    if (block_.memory)
      from_->give_back(block_);
  }

  handle memory() const noexcept { return block_.memory; }

private:
  blocks *from_ = nullptr;
  block block_;
};

} // namespace heed::runtime::device
