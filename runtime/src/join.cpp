#include "join.hpp"

#include "checked.hpp"

#include <algorithm>
#include <limits>

namespace heed::runtime {
namespace {

/// Two grid axes about to become one.
struct pair_of_axes {
  int outer, inner;
  std::int64_t outer_extent, inner_extent;
  std::int32_t block;
};

/// Stride of the joined axis for one operand, or -1 when the two don't make one axis.
std::int64_t joined_stride(const pair_of_axes &pair, const grid_strides::along &outer,
                           const grid_strides::along &inner) noexcept {
  if (outer.fixed || inner.fixed || outer.dimension != grid_strides::none)
    return -1;
  if (pair.outer_extent == 1)
    return inner.element;
  if (pair.inner_extent == 1)
    return outer.element;
  return outer.element == multiply(pair.inner_extent, inner.element) ? inner.element : -1;
}

/// Largest offset inside a joined tile, or -1 when the tile function can't see the joined axis.
std::int64_t joined_reach(const pair_of_axes &pair, const grid_strides::along &inner, std::int64_t stride,
                          std::int64_t reach) noexcept {
  if (inner.dimension == grid_strides::none)
    return pair.block == 1 || stride == 0 ? reach : -1;
  if (stride != inner.element && (inner.innermost || inner.broadcast))
    return -1;
  const std::int64_t before = std::min<std::int64_t>(pair.block, pair.inner_extent);
  const std::int64_t after =
      std::min<std::int64_t>(pair.block, multiply(pair.outer_extent, pair.inner_extent));
  reach -= multiply(before - 1, inner.element);
  return add(reach, multiply(after - 1, stride));
}

bool tile_starts_matter(const heed_launch &launch, const pair_of_axes &pair) noexcept {
  for (int s = 0; s < launch.scalar_count; ++s)
    if (launch.scalars[s].kind == HEED_TILE_START &&
        (launch.scalars[s].index == pair.outer || launch.scalars[s].index == pair.inner))
      return true;
  return false;
}

bool can_join(const heed_launch &launch, const grid_strides &strides, const pair_of_axes &pair) noexcept {
  if (launch.grid[pair.outer].block != 1 || tile_starts_matter(launch, pair))
    return false;
  for (int o = 0; o < launch.operand_count; ++o) {
    const auto &inner = strides.operands[o][pair.inner];
    const std::int64_t stride = joined_stride(pair, strides.operands[o][pair.outer], inner);
    if (stride < 0)
      return false;
    const std::int64_t reach = joined_reach(pair, inner, stride, strides.reach[o]);
    if (reach < 0 || reach > std::numeric_limits<std::int32_t>::max())
      return false;
  }
  return true;
}

void join(launch_plan &plan, grid_strides &strides, const pair_of_axes &pair) noexcept {
  for (int o = 0; o < plan.launch->operand_count; ++o) {
    auto &inner = strides.operands[o][pair.inner];
    const std::int64_t stride = joined_stride(pair, strides.operands[o][pair.outer], inner);
    strides.reach[o] = joined_reach(pair, inner, stride, strides.reach[o]);
    inner.element = stride;
    if (inner.dimension != grid_strides::none)
      plan.arguments.dimensions[inner.dimension].stride = static_cast<std::int32_t>(stride);
  }
  plan.grid[pair.inner].extent *= pair.outer_extent;
  plan.grid[pair.inner].tiles = ceil_divide(plan.grid[pair.inner].extent, pair.block);
  plan.grid[pair.outer].extent = plan.grid[pair.outer].tiles = 1;
}

} // namespace

void join_grid(launch_plan &plan, grid_strides &strides) noexcept {
  int inner = plan.launch->grid_rank - 1;
  for (int outer = inner - 1; outer >= 0; --outer) {
    const pair_of_axes pair{outer, inner, plan.grid[outer].extent, plan.grid[inner].extent,
                            plan.grid[inner].block};
    const bool small = multiply(pair.outer_extent, pair.inner_extent) != too_large;
    if (!plan.launch->grid[outer].joins_next)
      inner = outer;
    else if (pair.outer_extent == 1)
      continue;
    else if (small && can_join(*plan.launch, strides, pair))
      join(plan, strides, pair);
    else
      inner = outer;
  }
}

} // namespace heed::runtime
