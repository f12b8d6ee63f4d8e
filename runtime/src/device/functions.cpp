// What device functions call.

#include "function_context.hpp"
#include "sentence.hpp"

#include <algorithm>
#include <new>

namespace heed::runtime::device {
namespace {

heed_code check_limits(const function_context &context, const kernel_start &start) noexcept {
  const heed_device_description &device = context.queue.driver.description();
  if (start.shared_bytes > device.shared_bytes)
    return fail(context.status, HEED_UNSUPPORTED)
           << context.launch << ": a block of it shares " << start.shared_bytes << " bytes, at most "
           << device.shared_bytes << " are needed on " << device.name
           << "; choose a schedule of smaller blocks";
  const std::int64_t threads = std::int64_t{start.threads[0]} * start.threads[1] * start.threads[2];
  if (threads > device.block_threads)
    return fail(context.status, HEED_UNSUPPORTED)
           << context.launch << ": a block of it has " << threads << " threads, at most "
           << device.block_threads << " are needed on " << device.name
           << "; choose a schedule of smaller blocks";
  return HEED_OK;
}

heed_code no_memory(const function_context &context) noexcept {
  return fail(context.status, HEED_OUT_OF_MEMORY)
         << context.launch << ": there is no memory to start it, some is needed; free some memory";
}

heed_code load(function_context &context, const char *code, int size) noexcept try {
  return context.queue.shared->modules.find(code, static_cast<std::size_t>(size), context.loaded,
                                            context.status);
} catch (const std::bad_alloc &) {
  return no_memory(context);
}

heed_code run(function_context &context, const kernel_start &start) noexcept try {
  // A launch may have nothing to do, which drivers refuse.
  if (std::any_of(start.blocks, start.blocks + 3, [](int count) { return count <= 0; }))
    return HEED_OK;
  if (const heed_code code = check_limits(context, start))
    return code;
  return context.queue.driver.run(context.queue.native, *context.loaded, start, context.status);
} catch (const std::bad_alloc &) {
  return no_memory(context);
}

} // namespace

heed_code end_of(const function_context &context, int result) noexcept {
  if (result == 0 || context.code != HEED_OK)
    return context.code;
  return fail(context.status, HEED_UNSUPPORTED)
         << context.launch << ": it returned " << result
         << ", 0 is needed; rebuild the library with the compiler that came with this runtime";
}

} // namespace heed::runtime::device

using namespace heed::runtime::device;

int heed_device_load(void *context, void **, const char *code, int size) {
  auto &call = *static_cast<function_context *>(context);
  return call.code = load(call, code, size);
}

int heed_device_run(void *context, void *, const char *entry, int blocks_x, int blocks_y, int blocks_z,
                    int threads_x, int threads_y, int threads_z, int shared_bytes, const uint64_t *sizes,
                    void **arguments, const int8_t *are_buffers) {
  auto &call = *static_cast<function_context *>(context);
  return call.code = run(call, {entry,
                                {blocks_x, blocks_y, blocks_z},
                                {threads_x, threads_y, threads_z},
                                shared_bytes,
                                sizes,
                                arguments,
                                are_buffers});
}
