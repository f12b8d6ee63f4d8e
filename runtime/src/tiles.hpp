#pragma once
/// \file
/// The tiles of a planned launch on one thread.

#include "plan.hpp"
#include "scratch.hpp"

#include <cstdint>

namespace heed::runtime {

/// How the tiles of a thread ended: 0, or what the first failing tile function returned.
struct tile_result {
  int code = 0;
  bool out_of_memory = false;
  explicit operator bool() const noexcept { return code != 0 || out_of_memory; }
};

/// Runs tiles end-1 down to first (first < end) with these arguments, and stops at the first failure.
tile_result run_tiles(const launch_plan &plan, tile_arguments &arguments, scratch &scratch,
                      std::int64_t first, std::int64_t end) noexcept;

} // namespace heed::runtime
