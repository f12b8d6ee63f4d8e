#include "vulkan_queue.hpp"

#include <limits>
#include <utility>

namespace heed::runtime::device::vulkan {

in_order::~in_order() { wait(nullptr); }

heed_code in_order::take(std::unique_ptr<batch> &taken, heed_status *status) {
  retire();
  if (!idle_.empty()) {
    taken = std::move(idle_.back());
    idle_.pop_back();
  } else {
    taken = std::make_unique<batch>(device_);
    if (const heed_code code = taken->create(status))
      return code;
  }
  return taken->begin(status);
}

heed_code in_order::next(batch *&commands, heed_status *status) {
  if (!recording_) {
    std::unique_ptr<batch> taken;
    if (const heed_code code = take(taken, status))
      return code;
    recording_ = std::move(taken);
  }
  recording_->order();
  commands = recording_.get();
  return HEED_OK;
}

heed_code in_order::submit(heed_status *status) {
  if (!recording_)
    return HEED_OK;
  recording_->order(); // for the host
  running_.push_back(std::move(recording_));
  const batch &last = *running_.back();
  const VkCommandBuffer commands = last.commands();
  VkSubmitInfo info{};
  info.command_buffer_count = 1;
  info.command_buffers = &commands;
  heed_code code = check(vk().vkEndCommandBuffer(commands), "vkEndCommandBuffer", status);
  if (!code)
    code = check(vk().vkQueueSubmit(device_.queue, 1, &info, last.fence()), "vkQueueSubmit", status);
  if (code)
    running_.pop_back();
  return code;
}

heed_code in_order::wait(heed_status *status) {
  heed_code code = submit(status);
  while (!running_.empty()) {
    const VkFence fence = running_.front()->fence();
    const VkResult result =
        vk().vkWaitForFences(device_.native, 1, &fence, /*all=*/1, std::numeric_limits<std::uint64_t>::max());
    if (!code)
      code = check(result, "vkWaitForFences", status);
    retire_first(result == success);
  }
  return code;
}

void in_order::retire() noexcept {
  while (!running_.empty() && vk().vkGetFenceStatus(device_.native, running_.front()->fence()) == success)
    retire_first(true);
}

void in_order::retire_first(bool is_done) noexcept {
  running_.front()->finish(is_done);
  if (is_done && idle_.size() < most_idle)
    idle_.push_back(std::move(running_.front())); // within what is reserved
  running_.pop_front();
}

void in_order::destroy_later(memory &memory) {
  retire();
  if (recording_)
    recording_->destroy_later(memory);
  else if (!running_.empty())
    running_.back()->destroy_later(memory);
  else
    destroy(device_, memory);
}

} // namespace heed::runtime::device::vulkan
