#include "queues.hpp"

#include "sentence.hpp"

#include <algorithm>
#include <new>
#include <vector>

namespace heed::runtime::device {
namespace {

/// What was asked for, and the queue; or why there is none.
struct entry {
  heed_device device;
  std::shared_ptr<device::queue> queue;
  heed_status failure;
};

bool is_same(const heed_device &a, const heed_device &b) noexcept {
  return a.api == b.api && a.context == b.context && a.queue == b.queue && (a.context || a.index == b.index);
}

struct registry {
  std::mutex mutex;
  std::vector<entry> entries;
};

/// Never destroyed: a driver may be gone before the destructors of a process run.
registry &all() noexcept {
  alignas(registry) static std::byte memory[sizeof(registry)];
  static registry *const made = new (memory) registry;
  return *made;
}

heed_code check(const heed_device &device, heed_status *status) noexcept {
  if (device.api != HEED_DEVICE_OPENCL && device.api != HEED_DEVICE_CUDA &&
      device.api != HEED_DEVICE_VULKAN) {
    const char *const name = heed_device_api_name(device.api);
    if (name && device.api != HEED_DEVICE_NONE)
      return fail(status, HEED_UNSUPPORTED) << name
                                            << ": this runtime runs no code for it, opencl, cuda or vulkan "
                                               "is needed; compile for one of them";
    return fail(status, HEED_INVALID_ARGUMENT)
           << "options: api of device is " << device.api
           << ", a heed_device_api is needed; write for example HEED_DEVICE_OPENCL";
  }
  if (!device.context && device.queue)
    return fail(status, HEED_INVALID_ARGUMENT)
           << "options: device has a queue without a context, both are needed; set context to the one that "
              "the queue was made in";
  return HEED_OK;
}

heed_code open(const heed_device &device, std::shared_ptr<context> &opened, heed_status *status) {
  const auto choose = [&](auto open, auto wrap) {
    return device.context ? wrap(device, opened, status) : open(device.index, opened, status);
  };
  switch (device.api) {
  case HEED_DEVICE_OPENCL:
    return choose(open_opencl, wrap_opencl);
  case HEED_DEVICE_CUDA:
    return choose(open_cuda, wrap_cuda);
  default:
    return choose(open_vulkan, wrap_vulkan);
  }
}

/// The context of a caller's device, if a queue in it is known; else a null pointer.
std::shared_ptr<shared_context> known_context(const heed_device &device) noexcept {
  for (const entry &one : all().entries)
    if (device.context && one.queue && one.device.api == device.api && one.queue->driver.serves(device))
      return one.queue->shared;
  return nullptr;
}

heed_code make_queue(const heed_device &device, std::shared_ptr<queue> &made, heed_status *status) {
  std::shared_ptr<shared_context> shared = known_context(device);
  if (!shared) {
    std::shared_ptr<context> driver;
    if (const heed_code code = open(device, driver, status))
      return code;
    shared = std::make_shared<shared_context>(std::move(driver));
  }
  void *const native = device.context ? device.queue : shared->driver->own_queue();
  // Before there is a queue, whose end waits for what it has.
  if (device.context)
    if (const heed_code code = shared->driver->keep_queue(native, status))
      return code;
  auto queue = std::make_shared<device::queue>(std::move(shared), native);
  queue->is_kept = device.context != nullptr;
  made = std::move(queue);
  return HEED_OK;
}

} // namespace

heed_code modules::find(const char *code, std::size_t size, module *&found, heed_status *status) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<module> &place = loaded_[code];
  if (!place)
    if (const heed_code failed = context_.load(code, size, place, status))
      return failed;
  found = place.get();
  return HEED_OK;
}

shared_context::~shared_context() {
  const inside here(*driver, nullptr);
  modules.clear();
}

queue::~queue() {
  const inside here(driver, nullptr);
  driver.wait(native, nullptr);
  blocks.clear();
  if (is_kept)
    driver.drop_queue(native);
}

heed_code find_queue(const heed_device &device, std::shared_ptr<queue> &found, heed_status *status) {
  if (const heed_code code = check(device, status))
    return code;
  const std::lock_guard lock(all().mutex);
  std::vector<entry> &entries = all().entries;
  auto known = std::find_if(entries.begin(), entries.end(),
                            [&](const entry &one) { return is_same(one.device, device); });
  if (known == entries.end()) {
    entries.reserve(entries.size() + 1);
    entry made{device, nullptr, {}};
    made.failure.code = make_queue(device, made.queue, &made.failure);
    // That a device of the runtime can't be opened stays so; a caller may have passed the wrong one.
    if (made.failure.code && device.context)
      return fail(status, static_cast<heed_code>(made.failure.code)) << made.failure.message;
    entries.push_back(std::move(made));
    known = entries.end() - 1;
  }
  if (!known->queue)
    return fail(status, static_cast<heed_code>(known->failure.code)) << known->failure.message;
  found = known->queue;
  return HEED_OK;
}

void forget(const heed_device &device) noexcept {
  const auto is_meant = [&](const entry &one) {
    return one.device.api == device.api && one.device.context == device.context &&
           (device.context || one.device.index == device.index);
  };
  std::vector<entry> &entries = all().entries;
  for (bool found = true; found;) {
    std::shared_ptr<queue> gone; // which may wait, so outside of the lock
    const std::lock_guard lock(all().mutex);
    const auto known = std::find_if(entries.begin(), entries.end(), is_meant);
    found = known != entries.end();
    if (found) {
      gone = std::move(known->queue);
      entries.erase(known);
    }
  }
}

} // namespace heed::runtime::device
