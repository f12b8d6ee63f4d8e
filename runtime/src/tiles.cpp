#include "tiles.hpp"

#include <algorithm>

namespace heed::runtime {
namespace {

/// Walks the grid backwards and keeps the arguments at the tile it stands on.
class tile_walker {
public:
  tile_walker(const launch_plan &plan, tile_arguments &arguments) noexcept
      : plan_(plan), arguments_(arguments) {}

  void go_to(std::int64_t tile) noexcept {
    for (int g = plan_.grid_rank - 1; g >= 0; --g) {
      place_[g] = tile % plan_.grid[g].tiles;
      tile /= plan_.grid[g].tiles;
    }
    for (int m = 0; m < plan_.moving_count; ++m) {
      const moving_operand &moving = plan_.moving[m];
      std::int64_t offset = 0;
      for (int g = 0; g < plan_.grid_rank; ++g)
        offset += place_[g] * moving.step[g];
      arguments_.buffers[moving.operand].host = reinterpret_cast<std::uint8_t *>(moving.first) + offset;
    }
    follow_grid();
  }

  void go_back() noexcept {
    int g = plan_.grid_rank - 1;
    for (; place_[g] == 0; --g)
      place_[g] = plan_.grid[g].tiles - 1;
    --place_[g];
    for (int m = 0; m < plan_.moving_count; ++m)
      arguments_.buffers[plan_.moving[m].operand].host += plan_.moving[m].back[g];
    follow_grid();
  }

private:
  std::int64_t start(int g) const noexcept { return place_[g] * plan_.grid[g].block; }

  void follow_grid() noexcept {
    for (int c = 0; c < plan_.cropped_count; ++c) {
      const auto [dimension, g] = plan_.cropped[c];
      arguments_.dimensions[dimension].extent = static_cast<std::int32_t>(
          std::min<std::int64_t>(plan_.grid[g].block, plan_.grid[g].extent - start(g)));
    }
    for (int s = 0; s < plan_.start_count; ++s)
      arguments_.scalars[plan_.starts[s].scalar] = static_cast<std::int32_t>(start(plan_.starts[s].grid));
  }

  const launch_plan &plan_;
  tile_arguments &arguments_;
  std::int64_t place_[HEED_MAX_GRID];
};

} // namespace

tile_result run_tiles(const launch_plan &plan, tile_arguments &arguments, scratch &scratch,
                      std::int64_t first, std::int64_t end) noexcept {
  const heed_tile_function function = plan.launch->function;
  arguments.context = &scratch;
  tile_walker walker(plan, arguments);
  walker.go_to(end - 1);
  while (true) {
    const int code = function(arguments.pointers);
    if (code != 0 || scratch.failed())
      return {code, scratch.failed()};
    if (--end == first)
      return {};
    walker.go_back();
  }
}

} // namespace heed::runtime
