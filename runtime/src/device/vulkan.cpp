#include "driver.hpp"
#include "sentence.hpp"
#include "vulkan_binding.hpp"
#include "vulkan_queue.hpp"

#include <cstring>
#include <new>

namespace heed::runtime::device {
namespace vulkan {
namespace {

heed_code no_host_memory(heed_status *status) noexcept {
  return fail(status, HEED_OUT_OF_MEMORY)
         << "vulkan: there is no memory on the host to enqueue a command, some is needed; free some memory";
}

/// A context of the runtime: one device and its one queue.
class vk_context final : public context {
public:
  ~vk_context() override {
    queue_.reset(); // waits
    memories_.reset();
    if (device_.native)
      vk().vkDestroyDevice(device_.native, nullptr);
  }

  heed_code create(const physical_device &physical, heed_status *status) {
    device_.physical = physical;
    physical.describe(description_);
    if (const heed_code code = physical.open(device_.native, device_.queue, status))
      return code;
    memories_ = std::make_unique<memories>(device_);
    queue_ = std::make_unique<in_order>(device_);
    return HEED_OK;
  }

  const heed_device_description &description() const noexcept override { return description_; }
  bool has_addresses() const noexcept override { return false; }
  heed_code enter(heed_status *) noexcept override { return HEED_OK; }
  void leave() noexcept override {}
  void *native() const noexcept override { return device_.native; }
  void *own_queue() const noexcept override { return device_.queue; }
  bool serves(const heed_device &device) const noexcept override {
    return device.context == device_.native && device.queue == device_.queue;
  }
  heed_code keep_queue(void *, heed_status *) noexcept override { return HEED_OK; }
  void drop_queue(void *) noexcept override {}

  handle allocate(std::uint64_t bytes) noexcept override { return memories_->allocate(bytes); }
  void release(handle number) noexcept override try {
    memory gone = memories_->take(number);
    const std::lock_guard lock(queue_->mutex);
    if (gone.bytes)
      queue_->destroy_later(gone);
  } catch (const std::bad_alloc &) {
    // What can't be noted for later is freed with the device.
  }
  std::int64_t bytes_at(handle number) const noexcept override {
    return static_cast<std::int64_t>(memories_->find(number).bytes);
  }

  heed_code write(void *, handle to, std::uint64_t offset, const void *from, std::uint64_t bytes, bool,
                  heed_status *status) noexcept override {
    return command(status, [&](batch &commands) {
      staged piece;
      memory place;
      if (const heed_code code = memories_->find(to, offset, bytes, place, status))
        return code;
      if (const heed_code code = commands.stage(bytes, piece, status))
        return code;
      std::memcpy(piece.at, from, bytes);
      const VkBufferCopy copy{piece.offset, offset, bytes};
      vk().vkCmdCopyBuffer(commands.commands(), piece.buffer, place.buffer, 1, &copy);
      return HEED_OK;
    });
  }
  heed_code read(void *, handle from, std::uint64_t offset, void *to, std::uint64_t bytes,
                 heed_status *status) noexcept override {
    return command(status, [&](batch &commands) {
      staged piece;
      memory place;
      if (const heed_code code = memories_->find(from, offset, bytes, place, status))
        return code;
      if (const heed_code code = commands.stage(bytes, piece, status))
        return code;
      commands.copy_later(piece.at, to, bytes);
      const VkBufferCopy copy{offset, piece.offset, bytes};
      vk().vkCmdCopyBuffer(commands.commands(), place.buffer, piece.buffer, 1, &copy);
      return HEED_OK;
    });
  }
  heed_code fill(void *, handle to, std::uint64_t offset, const std::byte *pattern,
                 heed_status *status) noexcept override {
    return command(status, [&](batch &commands) {
      memory place;
      if (const heed_code code = memories_->find(to, offset, fill_bytes, place, status))
        return code;
      vk().vkCmdUpdateBuffer(commands.commands(), place.buffer, offset, fill_bytes, pattern);
      return HEED_OK;
    });
  }
  heed_code submit(void *, heed_status *status) noexcept override try {
    const std::lock_guard lock(queue_->mutex);
    return queue_->submit(status);
  } catch (const std::bad_alloc &) {
    return no_host_memory(status);
  }
  heed_code wait(void *, heed_status *status) noexcept override try {
    const std::lock_guard lock(queue_->mutex);
    return queue_->wait(status);
  } catch (const std::bad_alloc &) {
    return no_host_memory(status);
  }

  heed_code load(const char *code, std::size_t size, std::unique_ptr<module> &loaded,
                 heed_status *status) override {
    auto made = std::make_unique<vk_module>();
    const heed_code failed = made->create(device_, code, size, status);
    if (!failed)
      loaded = std::move(made);
    return failed;
  }

  heed_code run(void *, module &code, const kernel_start &start, heed_status *status) override {
    kernel *found = nullptr;
    VkPipeline pipeline{};
    if (const heed_code failed = check_blocks(device_.physical, start, status))
      return failed;
    if (const heed_code failed = static_cast<vk_module &>(code).find(start.entry, found, status))
      return failed;
    if (const heed_code failed = found->find(start, pipeline, status))
      return failed;
    return command(status, [&](batch &commands) {
      VkDescriptorSet set{};
      if (const heed_code failed = bind(device_, *memories_, commands, *found, start, set, status))
        return failed;
      const auto blocks = [&](int axis) { return static_cast<std::uint32_t>(start.blocks[axis]); };
      vk().vkCmdBindPipeline(commands.commands(), bind_point_compute, pipeline);
      vk().vkCmdBindDescriptorSets(commands.commands(), bind_point_compute, found->layout(), 0, 1, &set, 0,
                                   nullptr);
      vk().vkCmdDispatch(commands.commands(), blocks(0), blocks(1), blocks(2));
      return HEED_OK;
    });
  }

private:
  template <class Body> heed_code command(heed_status *status, Body body) noexcept try {
    const std::lock_guard lock(queue_->mutex);
    batch *commands = nullptr;
    if (const heed_code code = queue_->next(commands, status))
      return code;
    return body(*commands);
  } catch (const std::bad_alloc &) {
    return no_host_memory(status);
  }

  opened_device device_;
  heed_device_description description_{};
  std::unique_ptr<memories> memories_;
  std::unique_ptr<in_order> queue_;
};

} // namespace
} // namespace vulkan

using namespace vulkan;

heed_code open_vulkan(std::int32_t index, std::shared_ptr<context> &opened, heed_status *status) {
  physical_device device;
  if (const heed_code code = find_device(index, device, status))
    return code;
  auto made = std::make_shared<vk_context>();
  const heed_code code = made->create(device, status);
  if (!code)
    opened = std::move(made);
  return code;
}

heed_code wrap_vulkan(const heed_device &, std::shared_ptr<context> &, heed_status *status) {
  return fail(status, HEED_UNSUPPORTED)
         << "options: device has a VkDevice of the caller, for vulkan the runtime's own is needed; leave "
            "context and queue null, or take those of heed_device_open";
}

} // namespace heed::runtime::device
