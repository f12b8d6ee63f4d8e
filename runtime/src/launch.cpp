#include "launch.hpp"

#include "checked.hpp"
#include "thread_pool.hpp"
#include "tiles.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace heed::runtime {
namespace {

/// Arithmetic operations that make a further thread, or a further trip to the shared counter, worth its cost.
constexpr std::int64_t operations_per_thread = 1 << 18;
constexpr std::int64_t operations_per_chunk = 1 << 14;

thread_local bool in_parallel_tile = false;

/// Every thread begins with a share of neighbouring tiles, the same share in every launch: what a tile reads
/// was then mostly written by the same core, and cores may be far from each other. Who is done with the own
/// share takes from the others'.
constexpr std::int32_t most_shares = 64;

/// Of the tiles that are left in a share, a thread takes one part in this many: many neighbours at first,
/// which read the same keys, and few at the end, so that the threads end together.
constexpr std::int64_t takes_per_share = 8;

struct tile_range {
  std::int64_t first, end;
};

/// Tiles are taken from the last to the first: under a causal mask the last ones see most keys, so light ones
/// are left to even out the end.
struct alignas(64) tile_share {
  std::int64_t first;
  std::atomic<std::int64_t> end;

  /// At least `smallest`, if there are so many. Empty when none are left.
  tile_range take(std::int64_t smallest) noexcept {
    std::int64_t from, to = end.load(std::memory_order_relaxed);
    do
      from = to - std::min(to - first, std::max(smallest, (to - first) / takes_per_share));
    while (from != to && !end.compare_exchange_weak(to, from, std::memory_order_relaxed));
    return {from, to};
  }
};

struct shared_tiles {
  tile_share shares[most_shares];
  const launch_plan &plan;
  const memory &source;
  std::int64_t smallest; ///< number of tiles that is worth a trip to a share
  std::int32_t count;    ///< of shares
  std::atomic<int> code{0};
  std::atomic<bool> out_of_memory{false};

  shared_tiles(const launch_plan &plan, const memory &source, std::int64_t smallest,
               std::int32_t width) noexcept
      : plan(plan), source(source), smallest(smallest), count(std::min(width, most_shares)) {
    for (std::int64_t i = 0; i < count; ++i) {
      shares[i].first = plan.tiles * i / count;
      shares[i].end.store(plan.tiles * (i + 1) / count, std::memory_order_relaxed);
    }
  }

  bool failed() const noexcept {
    return code.load(std::memory_order_relaxed) != 0 || out_of_memory.load(std::memory_order_relaxed);
  }

  /// The next tiles for thread `index`: of its own share while there are any. Empty when none are left.
  tile_range take(std::int32_t index) noexcept {
    for (std::int32_t i = 0; i < count; ++i)
      if (const tile_range range = shares[(index + i) % count].take(smallest); range.first != range.end)
        return range;
    return {0, 0};
  }
};

/// Only what the launch uses; the rest stays untouched.
void copy_arguments(tile_arguments &to, const launch_plan &plan) noexcept {
  const tile_arguments &from = plan.arguments;
  const heed_launch &launch = *plan.launch;
  std::memcpy(to.scalars, from.scalars, launch.scalar_count * sizeof *to.scalars);
  std::memcpy(to.buffers, from.buffers, launch.operand_count * sizeof *to.buffers);
  std::memcpy(to.dimensions, from.dimensions,
              plan.first_dimension[launch.operand_count] * sizeof *to.dimensions);
  link_arguments(to, plan);
}

void work_on(shared_tiles &shared, std::int32_t index) noexcept {
  const launch_plan &plan = shared.plan;
  tile_range range = shared.take(index);
  if (range.first == range.end)
    return;
  tile_arguments arguments;
  copy_arguments(arguments, plan);
  scratch scratch(shared.source);
  const bool outer = std::exchange(in_parallel_tile, true);
  for (; range.first < range.end && !shared.failed(); range = shared.take(index)) {
    const tile_result result = run_tiles(plan, arguments, scratch, range.first, range.end);
    if (result.out_of_memory)
      shared.out_of_memory.store(true, std::memory_order_relaxed);
    if (result.code != 0)
      shared.code.store(result.code, std::memory_order_relaxed);
  }
  in_parallel_tile = outer;
}

tile_result run_parallel(const launch_plan &plan, std::int64_t work, std::int32_t width,
                         const call_context &context) noexcept {
  const std::int64_t even = ceil_divide(plan.tiles, std::int64_t{4} * width);
  const std::int64_t worthwhile = operations_per_chunk / std::max<std::int64_t>(1, work / plan.tiles);
  shared_tiles shared(plan, context.source, std::clamp<std::int64_t>(worthwhile, 1, even), width);
  const auto body = [](void *closure, std::int32_t index) {
    work_on(*static_cast<shared_tiles *>(closure), index);
  };
  if (context.executor)
    context.executor->run(context.executor->self, width, body, &shared);
  else
    run_together(width, context.worth_waking, body, &shared);
  return {shared.code.load(), shared.out_of_memory.load()};
}

heed_code report(const tile_result &result, const heed_launch &launch, const call_context &context) noexcept {
  if (!result)
    return HEED_OK;
  if (result.out_of_memory)
    return fail(context.status, HEED_OUT_OF_MEMORY)
           << context.launch.program.name << ": there is no memory for the scratch of " << launch.name
           << ", some per thread is needed; call with fewer threads";
  return fail(context.status, HEED_UNSUPPORTED)
         << context.launch.program.name << ": " << launch.name << " returned " << result.code
         << ", 0 is needed; rebuild the library with the compiler that came with this runtime";
}

} // namespace

bool inside_parallel_tile() noexcept { return in_parallel_tile; }

heed_code run_launch(const heed_launch &launch, call_context &context) noexcept {
  launch_plan plan;
  if (const heed_code code = plan_launch(plan, launch, context.launch, context.status))
    return code;
  if (plan.tiles == 0)
    return HEED_OK;
  const std::int64_t work = context.launch.extents[launch.work];
  const auto width = static_cast<std::int32_t>(
      std::min({std::int64_t{context.threads}, plan.tiles, work / operations_per_thread}));
  if (width > 1)
    return report(run_parallel(plan, work, width, context), launch, context);
  return report(run_tiles(plan, plan.arguments, context.own_scratch, 0, plan.tiles), launch, context);
}

} // namespace heed::runtime
