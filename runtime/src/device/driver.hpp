#pragma once
/// \file
/// What the runtime asks of a device's driver.

#include "heed/device.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace heed::runtime::device {

/// Memory on a device: a cl_mem, a CUdeviceptr, with Vulkan a number of the runtime's. 0: none.
using handle = std::uint64_t;

/// What a kernel is started with; see heed_device_run. At least one block of at least one thread.
struct kernel_start {
  const char *entry;
  int blocks[3], threads[3];
  int shared_bytes;
  const std::uint64_t *sizes;
  void **arguments;
  const std::int8_t *are_buffers;
};

/// Kernels that are ready to run.
class module {
public:
  virtual ~module() = default;
};

/// How many bytes one `fill` writes.
inline constexpr std::size_t fill_bytes = 128;

/// One device and one context of its driver. Queues are the driver's; calls in one queue run in order.
/// Functions may be called from several threads at once, each between enter and leave. They enqueue and wait
/// for nothing, unless they say so.
class context {
public:
  virtual ~context() = default;

  virtual const heed_device_description &description() const noexcept = 0;
  /// Whether memory + n is the memory n bytes further on.
  virtual bool has_addresses() const noexcept = 0;

  /// Makes the context the calling thread's; what was so before is restored.
  virtual heed_code enter(heed_status *status) noexcept = 0;
  virtual void leave() noexcept = 0;

  /// The driver's, for callers; and the queue that came with a context of the runtime.
  virtual void *native() const noexcept = 0;
  virtual void *own_queue() const noexcept = 0;
  /// Whether a caller's device is this one in this context, and its queue fit for calls; keeps the queue.
  virtual bool serves(const heed_device &device) const noexcept = 0;
  virtual heed_code keep_queue(void *queue, heed_status *status) noexcept = 0;
  virtual void drop_queue(void *queue) noexcept = 0;

  /// None when there is no memory.
  virtual handle allocate(std::uint64_t bytes) noexcept = 0;
  virtual void release(handle memory) noexcept = 0;
  /// How much there is at a caller's memory; the largest number where that isn't known.
  virtual std::int64_t bytes_at(handle memory) const noexcept = 0;

  /// `from` must stay as it is until the queue has come so far; with `wait`, until the end of this.
  virtual heed_code write(void *queue, handle to, std::uint64_t offset, const void *from, std::uint64_t bytes,
                          bool wait, heed_status *status) noexcept = 0;
  virtual heed_code read(void *queue, handle from, std::uint64_t offset, void *to, std::uint64_t bytes,
                         heed_status *status) noexcept = 0;
  /// The pattern is used at once; `offset` is a multiple of its size.
  virtual heed_code fill(void *queue, handle to, std::uint64_t offset, const std::byte *pattern,
                         heed_status *status) noexcept = 0;
  /// Lets the device begin with what was enqueued.
  virtual heed_code submit(void *queue, heed_status *status) noexcept = 0;
  virtual heed_code wait(void *queue, heed_status *status) noexcept = 0;

  /// Waits for the driver's compiler. May throw std::bad_alloc.
  virtual heed_code load(const char *code, std::size_t size, std::unique_ptr<module> &loaded,
                         heed_status *status) = 0;
  virtual heed_code run(void *queue, module &code, const kernel_start &start, heed_status *status) = 0;
};

/// Device number `index` in a context of the runtime; the device of a caller in the caller's context. May
/// throw std::bad_alloc.
heed_code open_opencl(std::int32_t index, std::shared_ptr<context> &opened, heed_status *status);
heed_code wrap_opencl(const heed_device &device, std::shared_ptr<context> &wrapped, heed_status *status);
heed_code open_cuda(std::int32_t index, std::shared_ptr<context> &opened, heed_status *status);
heed_code wrap_cuda(const heed_device &device, std::shared_ptr<context> &wrapped, heed_status *status);
heed_code open_vulkan(std::int32_t index, std::shared_ptr<context> &opened, heed_status *status);
heed_code wrap_vulkan(const heed_device &device, std::shared_ptr<context> &wrapped, heed_status *status);

} // namespace heed::runtime::device
