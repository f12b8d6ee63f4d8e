#include "device/call.hpp"
#include "bound_call.hpp"
#include "checked.hpp"
#include "extents.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "scratch.hpp"
#include "select.hpp"
#include "threads.hpp"

#include "heed/abi.h"

#include <algorithm>
#include <cstdint>

namespace heed::runtime {
namespace {

/// Arithmetic operations of a call that make it pay to wake a thread, which takes some 20 µs and a third of
/// them from the caller.
constexpr std::int64_t operations_worth_waking = 1 << 22;

/// Arithmetic operations of the whole call.
std::int64_t total_work(const launch_context &context) noexcept {
  std::int64_t total = 0;
  for (int s = 0; s < context.program.step_count; ++s) {
    const heed_step &step = context.program.steps[s];
    const heed_alternative *const chosen = choose(step, context.extents, context.views);
    if (chosen != step.alternatives + step.alternative_count)
      for (int l = 0; l < chosen->launch_count; ++l)
        total = add(total, context.extents[chosen->launches[l].work]);
  }
  return total;
}

heed_code run_steps(call_context &context) noexcept {
  const heed_program &program = context.launch.program;
  for (int s = 0; s < program.step_count; ++s) {
    const heed_step &step = program.steps[s];
    const heed_alternative *const chosen = choose(step, context.launch.extents, context.launch.views);
    if (chosen == step.alternatives + step.alternative_count)
      return report_step(program, s, context.status);
    for (int l = 0; l < chosen->launch_count; ++l)
      if (const heed_code code = run_launch(chosen->launches[l], context))
        return code;
  }
  return HEED_OK;
}

std::int32_t threads_of(const heed_options &options) noexcept {
  if (inside_parallel_tile())
    return 1;
  return options.threads > 0 ? std::min(options.threads, max_threads) : default_threads();
}

heed_code call(const heed_program *chain, const heed_view *views, const heed_options &options,
               heed_status *status) noexcept {
  selection selected;
  if (const heed_code code = select(chain, options, selected, status))
    return code;
  const heed_program &program = *selected.program;
  if (const heed_code code = check_call(program, views, options, status))
    return code;
  bool some_are_empty;
  if (const heed_code code = check_arguments(program, views, some_are_empty, status))
    return code;

  const memory source(options.allocator);
  call_memory table_memory(source, block_use::tables);
  std::byte *const table_bytes = table_memory.allocate(tables::bytes(program));
  if (!table_bytes)
    return report_tables(program, status);
  const tables tables(program, table_bytes);

  sizes sizes(program, tables.extents);
  if (const heed_code code = bind_sizes(sizes, views, status))
    return code;
  if (const heed_code code = check_bounds(program, views, tables.extents, status))
    return code;
  if (selected.queue)
    return device::call(program, views, tables, *selected.queue, status);
  if (const heed_code code = check_overlap(program, views, status))
    return code;
  if (some_are_empty && outputs_are_empty(program, views))
    return HEED_OK;

  call_memory arena(source, block_use::arena);
  if (const heed_code code =
          plan_arena(program, tables.extents, tables.slots, tables.temporaries, arena, status))
    return code;
  scratch own_scratch(source);
  call_context context{{program, tables.extents, views, tables.temporaries, some_are_empty},
                       source,
                       own_scratch,
                       options.executor,
                       threads_of(options),
                       false,
                       status};
  context.worth_waking = context.threads > 1 && total_work(context.launch) >= operations_worth_waking;
  return run_steps(context);
}

} // namespace
} // namespace heed::runtime

int32_t heed_call(const heed_program *program, const heed_view *arguments, const heed_options *options,
                  heed_status *status) {
  const heed_code code = heed::runtime::call(program, arguments, options ? *options : heed_options{}, status);
  if (status)
    status->code = code;
  return code;
}
