#include "call.hpp"

#include "arguments.hpp"
#include "function_context.hpp"
#include "sentence.hpp"
#include "tensors.hpp"

#include <new>

namespace heed::runtime::device {
namespace {

heed_code run_launch(const heed_launch &launch, const launch_source &source, function_context &context) {
  if (has_no_tiles(launch, source.extents))
    return HEED_OK;
  launch_arguments arguments;
  if (const heed_code code = fill_arguments(arguments, launch, source, &context, context.status))
    return code;
  context.launch = launch.name;
  return end_of(context, launch.function(arguments.pointers));
}

heed_code run_steps(const launch_source &source, queue &queue, heed_status *status) {
  function_context context{queue, status};
  for (int s = 0; s < source.program.step_count; ++s) {
    const heed_step &step = source.program.steps[s];
    const heed_alternative *const chosen = choose(step, source.extents, source.views);
    if (chosen == step.alternatives + step.alternative_count)
      return report_step(source.program, s, status);
    for (int l = 0; l < chosen->launch_count; ++l)
      if (const heed_code code = run_launch(chosen->launches[l], source, context))
        return code;
  }
  return HEED_OK;
}

} // namespace

heed_code call(const heed_program &program, const heed_view *views, const tables &tables, queue &queue,
               heed_status *status) noexcept try {
  if (const heed_code code = check_overlap_on_device(program, views, queue.driver.has_addresses(), status))
    return code;
  if (outputs_are_empty(program, views))
    return HEED_OK;
  const inside here(queue.driver, status);
  if (here.code)
    return here.code;
  queue.blocks.begin_call();
  tensors tensors(program, views, tables, queue);
  if (const heed_code code = tensors.bring(status))
    return code;
  const launch_source source{program, views, tables.extents, tensors, queue.driver.has_addresses()};
  if (const heed_code code = run_steps(source, queue, status))
    return code;
  return tensors.fetch(status);
} catch (const std::bad_alloc &) {
  return fail(status, HEED_OUT_OF_MEMORY)
         << program.name << ": there is no memory for its call, some of the host is needed; free some memory";
}

} // namespace heed::runtime::device
