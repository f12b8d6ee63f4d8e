#include "cuda_status.hpp"

namespace heed::runtime::device::cuda {
namespace {

/// Whether a kernel failed, whichever call says so: the driver takes no more work in that context.
bool is_lost(CUresult result) noexcept {
  return result == illegal_address || result == launch_timeout || result == context_is_destroyed ||
         (result >= hardware_stack_error && result <= launch_failed);
}

std::string_view advice(CUresult result) noexcept {
  if (is_lost(result))
    return "a kernel failed before, and the context is lost; call in another context or process";
  switch (result) {
  case out_of_memory:
    return "free memory of the device, or call on another one";
  case not_initialized:
  case deinitialized:
    return "call in a process that opened the device itself, not in a fork of it or at its end";
  case invalid_context:
  case invalid_handle:
    return "pass a context that exists, and a stream of it";
  case launch_out_of_resources:
    return "choose a schedule of smaller blocks";
  default:
    return "update the driver, or call on another device";
  }
}

} // namespace

const char *name_of(CUresult result) noexcept {
  const char *name = nullptr;
  cu().cuGetErrorName(result, &name);
  return name ? name : "unknown";
}

heed_code check(CUresult result, const char *function, heed_status *status) noexcept {
  if (result == success)
    return HEED_OK;
  return fail(status, result == out_of_memory ? HEED_OUT_OF_MEMORY : HEED_UNSUPPORTED)
         << "cuda: " << function << " returned " << result << " (" << name_of(result) << "), 0 is needed; "
         << advice(result);
}

} // namespace heed::runtime::device::cuda
