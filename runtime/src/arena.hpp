#pragma once
/// \file
/// The temporaries of one call in one allocation: a place per slot, shared by temporaries that are never
/// alive together.

#include "heed/abi.h"
#include "memory.hpp"
#include "sentence.hpp"

#include <cstddef>
#include <cstdint>

namespace heed::runtime {

/// Memory and strides of an argument or a temporary.
struct buffer {
  std::byte *data;
  const std::int64_t *strides;
  std::uint8_t dtype;
};

struct temporary_buffer {
  std::byte *data;
  std::int64_t strides[HEED_MAX_RANK];
};

/// A few kilobytes that cost nothing, or one allocation when more is needed.
class call_memory {
public:
  call_memory(const memory &source, block_use use) noexcept : source_(source), use_(use) {}
  ~call_memory() { source_.keep(use_, block_); }
  call_memory(const call_memory &) = delete;
  call_memory &operator=(const call_memory &) = delete;

  /// At most once. Null when there is no memory.
  std::byte *allocate(std::uint64_t bytes) noexcept;

private:
  static constexpr std::uint64_t inline_bytes = 4096;

  const memory &source_;
  block_use use_;
  block block_;
  alignas(64) std::byte inline_[inline_bytes];
};

/// Fills the strides of the temporaries and where each slot begins, in bytes. Returns the bytes of all.
std::int64_t lay_out_arena(const heed_program &program, const std::int64_t *extents, std::int64_t *slots,
                           temporary_buffer *temporaries) noexcept;

/// Gives every temporary its place in the memory of the host. `slots` has room for slot_count numbers.
heed_code plan_arena(const heed_program &program, const std::int64_t *extents, std::int64_t *slots,
                     temporary_buffer *temporaries, call_memory &arena, heed_status *status) noexcept;

/// That there is no memory for it.
heed_code report_arena(const heed_program &program, std::int64_t bytes, heed_status *status) noexcept;

} // namespace heed::runtime
