#include "arguments.hpp"

#include "checked.hpp"
#include "element.hpp"
#include "sentence.hpp"

#include <algorithm>
#include <limits>

namespace heed::runtime::device {
namespace {

constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();

std::int32_t cut(std::int64_t number) noexcept {
  return static_cast<std::int32_t>(std::min(number, int32_max));
}

/// Tiles of a grid axis.
std::int64_t tiles_of(const heed_grid_axis &axis, const std::int64_t *extents) noexcept {
  return ceil_divide(extents[axis.extent], axis.block);
}

heed_code report_reach(const launch_source &source, const heed_launch &launch, const heed_operand &operand,
                       std::int64_t reach, heed_status *status) noexcept {
  const bool is_argument = operand.buffer < source.program.argument_count;
  sentence text = fail(status, HEED_UNSUPPORTED);
  text << (is_argument ? source.program.arguments[operand.buffer].name : "a temporary") << ": " << launch.name
       << " reaches ";
  if (reach == too_large)
    text << "more than 2^63";
  else
    text << reach;
  return text << " elements into its memory, at most " << int32_max
              << " are supported on a device; call it on parts of the batch";
}

/// Fills what one operand needs: dimensions, an offset, a buffer.
class operand_arguments {
public:
  operand_arguments(launch_arguments &arguments, const heed_launch &launch,
                    const launch_source &source) noexcept
      : arguments_(arguments), launch_(launch), source_(source), next_(arguments.dimensions) {}

  heed_code fill(int number, heed_status *status) {
    const heed_operand &operand = launch_.operands[number];
    place place;
    if (const heed_code code = find(operand, place, status))
      return code;
    heed_dimension *const dimensions = next_;
    std::int64_t reach = fill_kernel_axes(operand, place.strides);
    reach = add(reach, fill_grid_axes(operand, place.strides));
    const element &element = elements[place.dtype];
    std::int64_t first = place.first;
    if (source_.has_addresses) {
      place.memory += static_cast<std::uint64_t>(multiply(first, element.bytes));
      first = 0;
    }
    if (add(first, reach) > int32_max)
      return report_reach(source_, launch_, operand, add(first, reach), status);
    arguments_.offsets[number] = static_cast<std::int32_t>(first);
    arguments_.buffers[number] = {place.memory,
                                  nullptr,
                                  nullptr,
                                  0,
                                  {element.code, static_cast<std::uint8_t>(element.bytes * 8), 1},
                                  static_cast<std::int32_t>(next_ - dimensions),
                                  dimensions,
                                  nullptr};
    return HEED_OK;
  }

private:
  /// Where the operand begins.
  heed_code find(const heed_operand &operand, place &found, heed_status *status) {
    if (const heed_code code = source_.tensors.find(operand.buffer, found, status))
      return code;
    if (operand.offset_count == 0)
      return HEED_OK;
    // Without elements it may begin anywhere; what looks one up reads 0.
    if (!operand.is_output && has_no_elements(operand))
      return source_.tensors.find_nothing(found.dtype, found, status);
    for (int o = 0; o < operand.offset_count; ++o) {
      const heed_offset &offset = operand.offsets[o];
      const std::int64_t index = offset.kind == HEED_OFFSET_EXTENT ? source_.extents[offset.index]
                                                                   : integer(source_.views[offset.index]);
      found.first = add(found.first, multiply(index, found.strides[offset.axis]));
    }
    return HEED_OK;
  }

  bool has_no_elements(const heed_operand &operand) const noexcept {
    return std::any_of(operand.axes, operand.axes + operand.kernel_rank,
                       [&](const heed_axis &axis) { return source_.extents[axis.extent] == 0; });
  }

  std::int64_t stride_of(const heed_axis &axis, const std::int64_t *strides) const noexcept {
    return axis.axis < 0 ? 0 : multiply(strides[axis.axis], source_.extents[axis.multiplier]);
  }

  /// Adds a dimension. Returns how far it reaches.
  std::int64_t add_dimension(std::int64_t extent, std::int64_t stride) noexcept {
    *next_++ = {0, cut(extent), stride <= int32_max ? static_cast<std::int32_t>(stride) : 0, 0};
    return extent > 1 ? multiply(extent - 1, stride) : 0;
  }

  std::int64_t fill_kernel_axes(const heed_operand &operand, const std::int64_t *strides) noexcept {
    std::int64_t reach = 0;
    for (int a = 0; a < operand.kernel_rank; ++a) {
      const heed_axis &axis = operand.axes[a];
      const std::int64_t extent = axis.by_tile && axis.grid >= 0 ? 1 : source_.extents[axis.extent];
      // The stride of a lone element is arbitrary; the device function may count on 1.
      const bool is_lone = a == 0 && extent <= 1 && axis.axis >= 0;
      reach = add(reach, add_dimension(extent, is_lone ? 1 : stride_of(axis, strides)));
    }
    return reach;
  }

  std::int64_t fill_grid_axes(const heed_operand &operand, const std::int64_t *strides) noexcept {
    std::int64_t reach = 0;
    for (int g = 0; g < launch_.grid_rank; ++g) {
      const heed_grid_axis &grid = launch_.grid[g];
      std::int64_t stride = 0;
      bool is_walked = false;
      for (int a = 0; a < operand.rank; ++a) {
        const heed_axis &axis = operand.axes[a];
        if (axis.grid != g)
          continue;
        if (a < operand.kernel_rank && !axis.by_tile)
          is_walked = true;
        else
          stride = add(stride, multiply(stride_of(axis, strides), axis.by_tile ? 1 : grid.block));
      }
      reach = add(reach,
                  is_walked ? add_dimension(1, 0) : add_dimension(tiles_of(grid, source_.extents), stride));
    }
    return reach;
  }

  launch_arguments &arguments_;
  const heed_launch &launch_;
  const launch_source &source_;
  heed_dimension *next_;
};

heed_code fill_scalars(launch_arguments &arguments, const heed_launch &launch, const launch_source &source,
                       heed_status *status) noexcept {
  for (int s = 0; s < launch.scalar_count; ++s) {
    const std::int64_t value = source.extents[launch.scalars[s].index];
    if (launch.scalars[s].kind != HEED_EXTENT || value > int32_max)
      return fail(status, HEED_UNSUPPORTED) << launch.name << ": an extent is " << value << ", at most "
                                            << int32_max << " is supported; pass a shorter tensor";
    arguments.scalars[s] = static_cast<std::int32_t>(value);
  }
  return HEED_OK;
}

} // namespace

bool has_no_tiles(const heed_launch &launch, const std::int64_t *extents) noexcept {
  return std::any_of(launch.grid, launch.grid + launch.grid_rank,
                     [&](const heed_grid_axis &axis) { return extents[axis.extent] == 0; });
}

heed_code fill_arguments(launch_arguments &arguments, const heed_launch &launch, const launch_source &source,
                         void *context, heed_status *status) {
  if (!has_room_for(launch))
    return report_room(launch, status);
  if (const heed_code code = fill_scalars(arguments, launch, source, status))
    return code;
  operand_arguments operands(arguments, launch, source);
  for (int o = 0; o < launch.operand_count; ++o)
    if (const heed_code code = operands.fill(o, status))
      return code;
  arguments.context = context;
  void **next = arguments.pointers;
  *next++ = &arguments.context;
  for (int s = 0; s < launch.scalar_count; ++s)
    *next++ = &arguments.scalars[s];
  for (int o = 0; o < launch.operand_count; ++o)
    *next++ = &arguments.offsets[o];
  for (int o = 0; o < launch.operand_count; ++o)
    *next++ = &arguments.buffers[o];
  return HEED_OK;
}

} // namespace heed::runtime::device
