#pragma once
/// \file
/// The arguments of a device function for one launch; see heed_program.

#include "plan.hpp"
#include "tensors.hpp"

namespace heed::runtime::device {

/// What all launches of a call are planned from.
struct launch_source {
  const heed_program &program;
  const heed_view *views;
  const std::int64_t *extents;
  device::tensors &tensors;
  bool has_addresses; ///< of the context
};

struct launch_arguments {
  void *context;
  std::int32_t scalars[HEED_MAX_SCALARS];
  std::int32_t offsets[HEED_MAX_OPERANDS];
  heed_buffer buffers[HEED_MAX_OPERANDS];
  heed_dimension dimensions[HEED_MAX_OPERANDS * (max_operand_rank + HEED_MAX_GRID)];
  void *pointers[1 + HEED_MAX_SCALARS + 2 * HEED_MAX_OPERANDS];
};

/// Whether the grid of a launch has no tiles: then there is nothing to do.
bool has_no_tiles(const heed_launch &launch, const std::int64_t *extents) noexcept;

/// `context` is what heed_device_load and heed_device_run get.
heed_code fill_arguments(launch_arguments &arguments, const heed_launch &launch, const launch_source &source,
                         void *context, heed_status *status);

} // namespace heed::runtime::device
