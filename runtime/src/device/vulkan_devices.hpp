#pragma once
/// \file
/// Vulkan's devices, found by number, GPUs first, and what is asked of one before it is used.

#include "vulkan_api.hpp"

#include "heed/device.h"

#include <vector>

namespace heed::runtime::device::vulkan {

/// A device that runs compute kernels, with its limits.
struct physical_device {
  VkPhysicalDevice native = nullptr;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::uint32_t queue_family = 0;
  // What kernels may need.
  bool has_double = false, has_int64 = false, has_int16 = false, has_int8 = false, stores16 = false,
       stores8 = false;

  void describe(heed_device_description &description) const noexcept;
  /// The first memory type of `types` with all flags, or a number that is none.
  std::uint32_t memory_type(std::uint32_t types, VkFlags flags) const noexcept;
  static constexpr std::uint32_t no_memory_type = ~0u;

  /// Makes a device with one queue and all that kernels may need.
  heed_code open(VkDevice &device, VkQueue &queue, heed_status *status) const noexcept;
  /// Whether it has what SPIR-V of those capabilities needs.
  heed_code check_capabilities(const std::vector<std::uint32_t> &capabilities,
                               heed_status *status) const noexcept;
};

/// May throw std::bad_alloc.
heed_code find_device(std::int32_t index, physical_device &device, heed_status *status);

} // namespace heed::runtime::device::vulkan
