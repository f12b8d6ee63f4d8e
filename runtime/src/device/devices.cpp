// What callers do with devices beside calls.

#include "heed/device.h"

#include "queues.hpp"
#include "sentence.hpp"

#include <iterator>
#include <new>

namespace heed::runtime::device {
namespace {

/// Runs body(queue) in the queue of a device.
template <class Body>
heed_code in_queue(const heed_device *device, heed_status *status, Body body) noexcept try {
  if (!device)
    return fail(status, HEED_INVALID_ARGUMENT)
           << "device: it is null, one is needed; pass a heed_device with its api";
  std::shared_ptr<queue> queue;
  if (const heed_code code = find_queue(*device, queue, status))
    return code;
  const inside here(queue->driver, status);
  return here.code ? here.code : body(*queue);
} catch (const std::bad_alloc &) {
  return fail(status, HEED_OUT_OF_MEMORY)
         << "device: there is no memory to open it, some is needed; free some";
}

std::int32_t end(heed_code code, heed_status *status) noexcept {
  if (status)
    status->code = code;
  return code;
}

handle to_handle(void *memory) noexcept { return reinterpret_cast<handle>(memory); }

} // namespace
} // namespace heed::runtime::device

using namespace heed::runtime::device;
using heed::runtime::fail;

const char *heed_device_api_name(int32_t api) {
  static constexpr const char *names[] = {"none", "opencl", "cuda", "vulkan", "metal"};
  return api >= 0 && api < static_cast<int32_t>(std::size(names)) ? names[api] : nullptr;
}

int32_t heed_device_describe(const heed_device *device, heed_device_description *description,
                             heed_status *status) {
  const auto describe = [&](queue &queue) {
    *description = queue.driver.description();
    return HEED_OK;
  };
  return end(in_queue(device, status, describe), status);
}

int32_t heed_device_open(heed_device *device, heed_status *status) {
  const auto open = [&](queue &queue) {
    device->context = queue.driver.native();
    device->queue = queue.native;
    return HEED_OK;
  };
  return end(in_queue(device, status, open), status);
}

int32_t heed_device_wait(const heed_device *device, heed_status *status) {
  const auto wait = [&](queue &queue) { return queue.driver.wait(queue.native, status); };
  return end(in_queue(device, status, wait), status);
}

void heed_device_forget(const heed_device *device) {
  if (device)
    forget(*device);
}

int32_t heed_device_allocate(const heed_device *device, uint64_t bytes, void **memory, heed_status *status) {
  *memory = nullptr;
  const auto allocate = [&](queue &queue) -> heed_code {
    *memory = reinterpret_cast<void *>(queue.driver.allocate(bytes));
    if (*memory)
      return HEED_OK;
    return fail(status, HEED_OUT_OF_MEMORY) << "device: it has no memory for " << bytes
                                            << " bytes, so many are needed; free memory of the device";
  };
  return end(in_queue(device, status, allocate), status);
}

void heed_device_release(const heed_device *device, void *memory) {
  if (!memory)
    return;
  in_queue(device, nullptr, [&](queue &queue) {
    queue.driver.release(to_handle(memory));
    return HEED_OK;
  });
}

int32_t heed_device_write(const heed_device *device, void *memory, uint64_t offset, const void *from,
                          uint64_t bytes, heed_status *status) {
  const auto write = [&](queue &queue) {
    return bytes == 0 ? HEED_OK
                      : queue.driver.write(queue.native, to_handle(memory), offset, from, bytes,
                                           /*wait=*/true, status);
  };
  return end(in_queue(device, status, write), status);
}

int32_t heed_device_read(const heed_device *device, void *memory, uint64_t offset, void *to, uint64_t bytes,
                         heed_status *status) {
  const auto read = [&](queue &queue) {
    if (bytes == 0)
      return HEED_OK;
    if (const heed_code code = queue.driver.read(queue.native, to_handle(memory), offset, to, bytes, status))
      return code;
    return queue.driver.wait(queue.native, status);
  };
  return end(in_queue(device, status, read), status);
}
