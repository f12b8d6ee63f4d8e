#pragma once
/// \file
/// Commands that are submitted together, and what they need until they are done.

#include "vulkan_memory.hpp"

namespace heed::runtime::device::vulkan {

/// A piece of memory that host and device see.
struct staged {
  VkBuffer buffer{};
  VkDeviceSize offset = 0;
  std::byte *at = nullptr;
};

/// Functions that take a status may throw std::bad_alloc; a batch is usable after that.
class batch {
public:
  explicit batch(const opened_device &device) noexcept : device_(device) {}
  ~batch();
  batch(const batch &) = delete;
  batch &operator=(const batch &) = delete;

  heed_code create(heed_status *status) noexcept;
  /// Before the first command; after `finish`, too.
  heed_code begin(heed_status *status) noexcept;
  VkCommandBuffer commands() const noexcept { return commands_; }
  /// Signalled when all is done.
  VkFence fence() const noexcept { return fence_; }

  /// What comes after sees what came before.
  void order() const noexcept;

  heed_code stage(VkDeviceSize bytes, staged &made, heed_status *status);
  heed_code make_set(VkDescriptorSetLayout layout, std::uint32_t storage_buffers, VkDescriptorSet &set,
                     heed_status *status);

  /// When the commands are done.
  void copy_later(const std::byte *from, void *to, std::size_t bytes);
  void destroy_later(const memory &memory);

  /// They are done, or, without the copies, never will be.
  void finish(bool copies) noexcept;

private:
  struct chunk {
    vulkan::memory memory;
    VkDeviceSize used = 0;
  };
  struct copy {
    const std::byte *from;
    void *to;
    std::size_t bytes;
  };
  struct pool {
    VkDescriptorPool native{};
    std::uint32_t sets = 0, storage_buffers = 0; ///< that are used
  };

  heed_code add_pool(heed_status *status);

  const opened_device &device_;
  VkCommandPool command_pool_{};
  VkCommandBuffer commands_ = nullptr;
  VkFence fence_{};
  std::vector<chunk> chunks_;
  std::vector<pool> pools_;
  std::vector<copy> copies_;
  std::vector<memory> garbage_;
};

} // namespace heed::runtime::device::vulkan
