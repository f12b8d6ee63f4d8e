#pragma once
/// \file
/// Scratch memory of the tiles that one thread runs: a stack in one block, which grows to what a tile needs.

#include "memory.hpp"

#include <cstdint>

namespace heed::runtime {

/// What a tile function gets as its context.
class scratch {
public:
  explicit scratch(const memory &source) noexcept : source_(source) {}
  ~scratch();
  scratch(const scratch &) = delete;
  scratch &operator=(const scratch &) = delete;

  void *allocate(std::uint64_t bytes) noexcept;
  void release(void *memory) noexcept;
  bool failed() const noexcept { return failed_; }

private:
  struct overflow_header;

  bool make_room(std::uint64_t bytes) noexcept;
  void *allocate_outside(std::uint64_t bytes) noexcept;
  void release_outside() noexcept;

  const memory &source_;
  block block_;
  std::uint64_t used_ = 0; ///< of the block
  overflow_header *last_outside_ = nullptr;
  std::uint64_t outside_ = 0; ///< bytes in allocations of their own, made while the block was too small
  std::uint64_t most_ = 0;    ///< largest used_ + outside_ seen: the size the block should have
  bool failed_ = false;
};

} // namespace heed::runtime
