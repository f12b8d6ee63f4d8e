#include "bound_call.hpp"

#include "sentence.hpp"

namespace heed::runtime {

heed_code check_call(const heed_program &program, const heed_view *views, const heed_options &options,
                     heed_status *status) noexcept {
  if (!views && program.argument_count > 0)
    return fail(status, HEED_INVALID_ARGUMENT)
           << program.name << ": its arguments are null, " << program.argument_count
           << " views are needed; pass an array of them";
  if (options.threads < 0)
    return fail(status, HEED_INVALID_ARGUMENT)
           << "options: threads is " << options.threads << ", 0 or more is needed; use 0 for the default";
  return HEED_OK;
}

heed_code report_tables(const heed_program &program, heed_status *status) noexcept {
  return fail(status, HEED_OUT_OF_MEMORY) << program.name << ": there is no memory for its table of sizes, "
                                          << tables::bytes(program) << " bytes are needed; free some memory";
}

bool outputs_are_empty(const heed_program &program, const heed_view *views) noexcept {
  for (int a = 0; a < program.argument_count; ++a)
    if (is_written(program.arguments[a]) && !is_empty(views[a]))
      return false;
  return true;
}

heed_code report_step(const heed_program &program, int step, heed_status *status) noexcept {
  return fail(status, HEED_UNSUPPORTED) << program.name << ": step " << step
                                        << " has no alternative for these sizes, one without a condition "
                                        << "is needed; rebuild the library";
}

} // namespace heed::runtime
