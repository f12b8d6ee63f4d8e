#include "plan.hpp"

#include "check.hpp"
#include "checked.hpp"
#include "element.hpp"
#include "join.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace heed::runtime {
namespace {

constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();

/// An argument without elements may have any strides; nothing steps along them.
constexpr std::int64_t no_strides[HEED_MAX_RANK] = {};

/// What stands for the elements of an argument that has none: a program that looks one up reads 0. Nothing
/// writes it.
constinit std::int64_t no_elements[8] = {};

buffer find_buffer(const launch_context &context, int number) noexcept {
  const int arguments = context.program.argument_count;
  if (number >= arguments)
    return {context.temporaries[number - arguments].data, context.temporaries[number - arguments].strides,
            context.program.temporaries[number - arguments].dtype};
  const heed_view &view = context.views[number];
  const bool has_elements = !context.some_views_are_empty || !is_empty(view);
  return {static_cast<std::byte *>(has_elements ? view.data : no_elements),
          has_elements ? view.strides : no_strides, static_cast<std::uint8_t>(view.dtype)};
}

std::string_view buffer_name(const launch_context &context, int number) noexcept {
  return number < context.program.argument_count ? context.program.arguments[number].name : "a temporary";
}

heed_code report_reach(const launch_context &context, const heed_launch &launch, const heed_operand &operand,
                       std::int64_t reach, heed_status *status) noexcept {
  sentence text = fail(status, HEED_UNSUPPORTED);
  text << buffer_name(context, operand.buffer) << ": one tile of " << launch.name << " reaches ";
  if (reach == too_large)
    text << "more than 2^63";
  else
    text << reach;
  return text << " elements far, at most " << int32_max
              << " are supported; pass a tensor that is shorter or lies denser";
}

/// Fills an operand's axes as the tile function sees them and how it lies along the grid.
class operand_planner {
public:
  operand_planner(launch_plan &plan, grid_strides &strides, const launch_context &context) noexcept
      : plan_(plan), strides_(strides), context_(context) {}

  heed_code plan(int number, heed_status *status) noexcept {
    const heed_operand &operand = plan_.launch->operands[number];
    buffer buffer = find_buffer(context_, operand.buffer);
    if (operand.offset_count > 0 && buffer.strides != no_strides)
      if (const heed_code code = move_to_start(buffer, operand, status))
        return code;
    const element &element = elements[buffer.dtype];
    plan_.arguments.buffers[number] = {0,
                                       nullptr,
                                       reinterpret_cast<std::uint8_t *>(buffer.data),
                                       0,
                                       {element.code, static_cast<std::uint8_t>(element.bytes * 8), 1},
                                       operand.kernel_rank,
                                       nullptr,
                                       nullptr};
    for (int g = 0; g < plan_.launch->grid_rank; ++g)
      if (strides_.matters[g])
        strides_.operands[number][g] = {0, 0, grid_strides::none, false, false, false};

    const int first = plan_.first_dimension[number];
    plan_.first_dimension[number + 1] = static_cast<std::uint16_t>(first + operand.kernel_rank);
    const std::int64_t reach = plan_seen_axes(number, operand, buffer.strides, first);
    if (reach > int32_max)
      return report_reach(context_, *plan_.launch, operand, reach, status);
    strides_.reach[number] = reach;
    for (int a = operand.kernel_rank; a < operand.rank; ++a)
      if (moves_along(operand.axes[a]))
        add_stride(number, operand.axes[a], stride_of(operand.axes[a], buffer.strides));
    return HEED_OK;
  }

private:
  /// Adds the offsets of an operand to its buffer.
  heed_code move_to_start(buffer &buffer, const heed_operand &operand, heed_status *status) const noexcept {
    // Without elements it may begin anywhere; what looks one up reads 0.
    if (!operand.is_output && has_no_elements(operand)) {
      buffer.data = reinterpret_cast<std::byte *>(no_elements);
      buffer.strides = no_strides;
      return HEED_OK;
    }
    std::int64_t elements_before = 0;
    for (int o = 0; o < operand.offset_count; ++o) {
      const heed_offset &offset = operand.offsets[o];
      const std::int64_t index = offset.kind == HEED_OFFSET_EXTENT ? context_.extents[offset.index]
                                                                   : integer(context_.views[offset.index]);
      elements_before = add(elements_before, multiply(index, buffer.strides[offset.axis]));
    }
    const std::int64_t bytes = multiply(elements_before, elements[buffer.dtype].bytes);
    if (bytes == too_large)
      return report_reach(context_, *plan_.launch, operand, too_large, status);
    buffer.data += bytes;
    return HEED_OK;
  }

  bool has_no_elements(const heed_operand &operand) const noexcept {
    for (int a = 0; a < operand.kernel_rank; ++a)
      if (context_.extents[operand.axes[a].extent] == 0)
        return true;
    return false;
  }

  /// The axes of the tile function. Returns the largest offset inside a tile.
  std::int64_t plan_seen_axes(int number, const heed_operand &operand, const std::int64_t *strides,
                              int first) noexcept {
    std::int64_t reach = 0;
    for (int a = 0; a < operand.kernel_rank; ++a) {
      const heed_axis &axis = operand.axes[a];
      const std::int64_t extent = context_.extents[axis.extent];
      const std::int64_t in_tile = tile_extent(axis, extent);
      std::int64_t stride = stride_of(axis, strides);
      if (in_tile > 1)
        reach = std::max(in_tile, add(reach, multiply(in_tile - 1, stride)));
      // The stride of a lone element is arbitrary; the tile function may count on 1.
      if (a == 0 && extent <= 1 && axis.axis >= 0)
        stride = 1;
      plan_.arguments.dimensions[first + a] = {0, static_cast<std::int32_t>(std::min(in_tile, int32_max)),
                                               stride <= int32_max ? static_cast<std::int32_t>(stride) : 0,
                                               0};
      if (moves_along(axis))
        follow(number, axis, first + a, a == 0, stride);
    }
    return reach;
  }

  std::int64_t stride_of(const heed_axis &axis, const std::int64_t *strides) const noexcept {
    return axis.axis < 0 ? 0 : multiply(strides[axis.axis], context_.extents[axis.multiplier]);
  }

  std::int64_t tile_extent(const heed_axis &axis, std::int64_t extent) const noexcept {
    if (axis.grid < 0)
      return extent;
    return axis.by_tile ? 1 : std::min<std::int64_t>(plan_.grid[axis.grid].block, extent);
  }

  bool moves_along(const heed_axis &axis) const noexcept {
    return axis.grid >= 0 && strides_.matters[axis.grid];
  }

  grid_strides::along &add_stride(int number, const heed_axis &axis, std::int64_t stride) noexcept {
    auto &along = strides_.operands[number][axis.grid];
    along.fixed |= axis.by_tile || along.element != 0 || along.dimension != grid_strides::none;
    std::int64_t &sum = axis.by_tile ? along.tile : along.element;
    sum = add(sum, stride);
    return along;
  }

  /// An axis that both the tile function and the grid see.
  void follow(int number, const heed_axis &axis, int dimension, bool innermost,
              std::int64_t stride) noexcept {
    auto &along = add_stride(number, axis, stride);
    if (axis.by_tile)
      return;
    along.dimension = static_cast<std::int16_t>(dimension);
    along.innermost = innermost;
    along.broadcast = axis.axis < 0;
    plan_.cropped[plan_.cropped_count++] = {static_cast<std::uint16_t>(dimension),
                                            static_cast<std::uint8_t>(axis.grid)};
  }

  launch_plan &plan_;
  grid_strides &strides_;
  const launch_context &context_;
};

/// Tiles of every grid axis and of the whole grid, before joining.
void plan_grid(launch_plan &plan, grid_strides &strides, const std::int64_t *extents) noexcept {
  plan.tiles = 1;
  bool may_join = false;
  for (int g = 0; g < plan.launch->grid_rank; ++g) {
    const heed_grid_axis &axis = plan.launch->grid[g];
    const std::int64_t extent = extents[axis.extent];
    plan.grid[g] = {extent, axis.block == 1 ? extent : ceil_divide(extent, axis.block), axis.block};
    plan.tiles = multiply(plan.tiles, plan.grid[g].tiles);
    strides.matters[g] = plan.grid[g].tiles > 1 || may_join;
    may_join = axis.joins_next && (may_join || extent > 1);
  }
}

heed_code plan_scalars(launch_plan &plan, const std::int64_t *extents, heed_status *status) noexcept {
  const heed_launch &launch = *plan.launch;
  for (int s = 0; s < launch.scalar_count; ++s) {
    const heed_scalar &scalar = launch.scalars[s];
    const bool start = scalar.kind == HEED_TILE_START;
    const std::int64_t largest = start ? plan.grid[scalar.index].extent : extents[scalar.index];
    if (largest > int32_max)
      return fail(status, HEED_UNSUPPORTED) << launch.name << ": an extent is " << largest << ", at most "
                                            << int32_max << " is supported; pass a shorter tensor";
    plan.arguments.scalars[s] = start ? 0 : static_cast<std::int32_t>(largest);
    if (start)
      plan.starts[plan.start_count++] = {static_cast<std::uint8_t>(s),
                                         static_cast<std::uint8_t>(scalar.index)};
  }
  return HEED_OK;
}

/// The steps of one operand along the grid axes that are left; `axes` are their numbers in the launch.
void plan_movement(launch_plan &plan, const grid_strides::along *strides, int operand,
                   const int *axes) noexcept {
  const heed_buffer &buffer = plan.arguments.buffers[operand];
  moving_operand &moving = plan.moving[plan.moving_count];
  bool moves = false;
  std::int64_t inside = 0; // bytes from the first to the last tile along the axes further in
  for (int g = plan.grid_rank - 1; g >= 0; --g) {
    const auto &along = strides[axes[g]];
    moving.step[g] =
        multiply(add(multiply(along.element, plan.grid[g].block), along.tile), buffer.type.bits / 8);
    moving.back[g] = inside - moving.step[g];
    inside = add(inside, multiply(plan.grid[g].tiles - 1, moving.step[g]));
    moves |= moving.step[g] != 0;
  }
  if (!moves)
    return;
  moving.operand = operand;
  moving.first = reinterpret_cast<std::byte *>(buffer.host);
  ++plan.moving_count;
}

/// Axes that the tile function sees and the grid cuts: a block, or what there is when that is less.
void set_blocked_extents(launch_plan &plan) noexcept {
  for (int c = 0; c < plan.cropped_count; ++c) {
    const grid_axis &axis = plan.grid[plan.cropped[c].grid];
    plan.arguments.dimensions[plan.cropped[c].dimension].extent =
        static_cast<std::int32_t>(std::min<std::int64_t>(axis.block, axis.extent));
  }
  plan.tiles = 1;
  for (int g = 0; g < plan.launch->grid_rank; ++g)
    plan.tiles = multiply(plan.tiles, plan.grid[g].tiles);
}

/// After joining: closes the gaps that axes of a single tile leave, and drops what never changes.
void compact(launch_plan &plan, const grid_strides &strides) noexcept {
  int axes[HEED_MAX_GRID], place[HEED_MAX_GRID];
  plan.grid_rank = 0;
  for (int g = 0; g < plan.launch->grid_rank; ++g) {
    place[g] = plan.grid[g].tiles > 1 ? plan.grid_rank : -1;
    if (place[g] < 0)
      continue;
    axes[plan.grid_rank] = g;
    plan.grid[plan.grid_rank++] = plan.grid[g];
  }
  if (plan.grid_rank > 0)
    for (int o = 0; o < plan.launch->operand_count; ++o)
      plan_movement(plan, strides.operands[o], o, axes);

  int cropped = 0;
  for (int c = 0; c < plan.cropped_count; ++c) {
    const int g = place[plan.cropped[c].grid];
    if (g >= 0 && plan.grid[g].extent % plan.grid[g].block != 0)
      plan.cropped[cropped++] = {plan.cropped[c].dimension, static_cast<std::uint8_t>(g)};
  }
  plan.cropped_count = cropped;
  int starts = 0;
  for (int s = 0; s < plan.start_count; ++s)
    if (const int g = place[plan.starts[s].grid]; g >= 0)
      plan.starts[starts++] = {plan.starts[s].scalar, static_cast<std::uint8_t>(g)};
  plan.start_count = starts;
}

} // namespace

void link_arguments(tile_arguments &arguments, const launch_plan &plan) noexcept {
  void **next = arguments.pointers;
  *next++ = &arguments.context;
  for (int s = 0; s < plan.launch->scalar_count; ++s)
    *next++ = &arguments.scalars[s];
  for (int o = 0; o < plan.launch->operand_count; ++o) {
    arguments.buffers[o].dim = arguments.dimensions + plan.first_dimension[o];
    *next++ = &arguments.buffers[o];
  }
}

heed_code report_room(const heed_launch &launch, heed_status *status) noexcept {
  return fail(status, HEED_UNSUPPORTED)
         << launch.name << ": it has " << launch.operand_count << " operands, " << launch.scalar_count
         << " scalars and " << launch.grid_rank << " grid axes, at most " << HEED_MAX_OPERANDS << ", "
         << HEED_MAX_SCALARS << " and " << HEED_MAX_GRID
         << " are supported; link the runtime that came with the compiler";
}

heed_code plan_launch(launch_plan &plan, const heed_launch &launch, const launch_context &context,
                      heed_status *status) noexcept {
  if (!has_room_for(launch))
    return report_room(launch, status);
  plan.launch = &launch;
  plan.moving_count = plan.cropped_count = plan.start_count = 0;
  grid_strides strides;
  plan_grid(plan, strides, context.extents);
  if (plan.tiles == 0)
    return HEED_OK;
  operand_planner planner(plan, strides, context);
  plan.first_dimension[0] = 0;
  for (int o = 0; o < launch.operand_count; ++o)
    if (const heed_code code = planner.plan(o, status))
      return code;
  if (const heed_code code = plan_scalars(plan, context.extents, status))
    return code;
  join_grid(plan, strides);
  set_blocked_extents(plan);
  compact(plan, strides);
  link_arguments(plan.arguments, plan);
  return HEED_OK;
}

} // namespace heed::runtime
