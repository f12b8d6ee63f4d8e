#pragma once
/// \file
/// How a tensor of the host lies on a device: without gaps, its axes in the order of the host's strides, so
/// that a dense tensor, permuted or not, is copied as it lies. An axis of stride 0 keeps it.

#include "heed/abi.h"

#include <cstddef>
#include <cstdint>

namespace heed::runtime::device {

/// Made of a view with elements.
struct host_copy {
  explicit host_copy(const heed_view &view) noexcept;

  /// Whether it lies as the view does.
  bool is_direct() const noexcept { return run == bytes; }

  /// Between the view and its copy without gaps.
  void pack(const heed_view &view, std::byte *copy) const noexcept;
  void unpack(const std::byte *copy, const heed_view &view) const noexcept;

  std::int64_t strides[HEED_MAX_RANK]; ///< of the copy, in elements
  std::int64_t bytes;                  ///< too_large where that is beyond 64 bits
  std::int64_t run;                    ///< bytes that lie in one piece in both

private:
  template <class Move> void for_each_run(const heed_view &view, Move move) const noexcept;

  int outer_count_ = 0;      ///< axes outside of a run
  int outer_[HEED_MAX_RANK]; ///< outermost first
};

} // namespace heed::runtime::device
