#pragma once
/// \file
/// Buffers with memory of their own.

#include "vulkan_devices.hpp"

namespace heed::runtime::device::vulkan {

/// A device that was opened, and its queue.
struct opened_device {
  physical_device physical;
  VkDevice native = nullptr;
  VkQueue queue = nullptr;
};

struct memory {
  VkBuffer buffer{};
  VkDeviceMemory native{};
  VkDeviceSize bytes = 0;
  std::byte *mapped = nullptr; ///< for the host, where it was asked for
};

/// Memory for kernels, or for copies between the host and them, which the host sees. Leaves nothing behind
/// when it fails.
VkResult create(const opened_device &device, VkDeviceSize bytes, bool is_for_host, memory &made) noexcept;
void destroy(const opened_device &device, memory &memory) noexcept;

} // namespace heed::runtime::device::vulkan
