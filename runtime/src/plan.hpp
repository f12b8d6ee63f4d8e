#pragma once
/// \file
/// A launch made ready: which tiles there are, and what a tile function's arguments are for each of them.

#include "arena.hpp"
#include "heed/abi.h"
#include "sentence.hpp"

#include <cstdint>

namespace heed::runtime {

/// Axes of one operand.
inline constexpr int max_operand_rank = HEED_MAX_RANK + 2;

/// One axis of the grid, outermost first. Axes of a single tile are left out once the plan is made.
struct grid_axis {
  std::int64_t extent;
  std::int64_t tiles;
  std::int32_t block;
};

/// Where an operand starts, as a function of the tile.
struct moving_operand {
  std::int32_t operand;
  std::byte *first;                 ///< at tile 0
  std::int64_t step[HEED_MAX_GRID]; ///< bytes from one tile to the next along a grid axis
  std::int64_t back[HEED_MAX_GRID]; ///< bytes to the tile before in grid order, which differs along that axis
};

/// An axis of an operand that the last tile of a grid axis sees shorter.
struct cropped_axis {
  std::uint16_t dimension; ///< in tile_arguments::dimensions
  std::uint8_t grid;
};

/// A scalar that follows the tile.
struct tile_start {
  std::uint8_t scalar, grid;
};

/// The arguments of a tile function. Every thread that runs tiles has its own.
struct tile_arguments {
  void *context;
  std::int32_t scalars[HEED_MAX_SCALARS];
  heed_buffer buffers[HEED_MAX_OPERANDS];
  heed_dimension dimensions[HEED_MAX_OPERANDS * max_operand_rank];
  void *pointers[1 + HEED_MAX_SCALARS + HEED_MAX_OPERANDS];
};

struct launch_plan {
  const heed_launch *launch;
  std::int64_t tiles; ///< of the whole grid
  int grid_rank, moving_count, cropped_count, start_count;
  grid_axis grid[HEED_MAX_GRID];
  moving_operand moving[HEED_MAX_OPERANDS];
  cropped_axis cropped[HEED_MAX_OPERANDS * max_operand_rank];
  tile_start starts[HEED_MAX_SCALARS];
  std::uint16_t first_dimension[HEED_MAX_OPERANDS + 1]; ///< of each operand, and one past the last
  tile_arguments arguments; ///< of tile 0; a thread may copy them or use them in place
};

/// What a launch is planned from.
struct launch_context {
  const heed_program &program;
  const std::int64_t *extents;
  const heed_view *views;
  const temporary_buffer *temporaries;
  bool some_views_are_empty;
};

/// Whether it has no more of anything than there is room for; and that it has.
inline bool has_room_for(const heed_launch &launch) noexcept {
  return launch.operand_count <= HEED_MAX_OPERANDS && launch.scalar_count <= HEED_MAX_SCALARS &&
         launch.grid_rank <= HEED_MAX_GRID;
}
heed_code report_room(const heed_launch &launch, heed_status *status) noexcept;

/// Fills the plan. A launch without tiles gets `tiles` 0 and nothing else that counts.
heed_code plan_launch(launch_plan &plan, const heed_launch &launch, const launch_context &context,
                      heed_status *status) noexcept;

/// Lets the pointers of copied arguments point into the copy.
void link_arguments(tile_arguments &arguments, const launch_plan &plan) noexcept;

} // namespace heed::runtime
