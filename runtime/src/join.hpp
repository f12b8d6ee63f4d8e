#pragma once
/// \file
/// Joining of neighbouring grid axes: a batch of short sequences becomes one long axis of rows, so that tiles
/// are full.

#include "plan.hpp"

#include <cstdint>

namespace heed::runtime {

/// How the operands of a launch lie along its grid, in elements, before the grid is made.
struct grid_strides {
  struct along {
    std::int64_t element;   ///< stride of the axes that follow the grid element by element
    std::int64_t tile;      ///< stride of the axes that have one element per tile
    std::int16_t dimension; ///< the tile function's axis along this grid axis, or none
    bool innermost;         ///< that axis is the operand's innermost
    bool broadcast;         ///< that axis is stride 0 by the table
    bool fixed;             ///< more than one axis, or one by tile: this grid axis can't be joined
  };
  static constexpr std::int16_t none = -1;

  /// Grid axes of several tiles, and those that may become so by joining. Nothing is noted along the others.
  bool matters[HEED_MAX_GRID];
  along operands[HEED_MAX_OPERANDS][HEED_MAX_GRID];
  std::int64_t reach[HEED_MAX_OPERANDS]; ///< largest offset inside a tile along axes without a grid
};

/// Joins what may be joined. A joined outer axis is left with extent 1.
void join_grid(launch_plan &plan, grid_strides &strides) noexcept;

} // namespace heed::runtime
