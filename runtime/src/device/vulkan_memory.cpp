#include "vulkan_memory.hpp"

namespace heed::runtime::device::vulkan {
namespace {

/// The first that exists of what is wanted, in this order.
std::uint32_t choose_type(const physical_device &device, std::uint32_t types, bool is_for_host) noexcept {
  constexpr VkFlags seen = memory_host_visible | memory_host_coherent;
  const std::uint32_t wanted =
      device.memory_type(types, is_for_host ? seen | memory_host_cached : VkFlags{memory_device_local});
  if (wanted != physical_device::no_memory_type)
    return wanted;
  return device.memory_type(types, is_for_host ? seen : 0);
}

VkResult allocate(const opened_device &device, bool is_for_host, memory &made) noexcept {
  VkMemoryRequirements needed{};
  vk().vkGetBufferMemoryRequirements(device.native, made.buffer, &needed);
  VkMemoryAllocateInfo info{};
  info.bytes = needed.bytes;
  info.memory_type = choose_type(device.physical, needed.types, is_for_host);
  if (info.memory_type == physical_device::no_memory_type)
    return out_of_device_memory;
  if (const VkResult result = vk().vkAllocateMemory(device.native, &info, nullptr, &made.native))
    return result;
  if (const VkResult result = vk().vkBindBufferMemory(device.native, made.buffer, made.native, 0))
    return result;
  void *mapped = nullptr;
  if (is_for_host)
    if (const VkResult result = vk().vkMapMemory(device.native, made.native, 0, made.bytes, 0, &mapped))
      return result;
  made.mapped = static_cast<std::byte *>(mapped);
  return success;
}

} // namespace

VkResult create(const opened_device &device, VkDeviceSize bytes, bool is_for_host, memory &made) noexcept {
  VkBufferCreateInfo info{};
  info.bytes = bytes;
  info.usage = buffer_transfer_from | buffer_transfer_to | (is_for_host ? buffer_uniform : buffer_storage);
  made = {};
  made.bytes = bytes;
  if (const VkResult result = vk().vkCreateBuffer(device.native, &info, nullptr, &made.buffer))
    return result;
  const VkResult result = allocate(device, is_for_host, made);
  if (result != success)
    destroy(device, made);
  return result;
}

void destroy(const opened_device &device, memory &memory) noexcept {
  vk().vkDestroyBuffer(device.native, memory.buffer, nullptr);
  vk().vkFreeMemory(device.native, memory.native, nullptr); // which unmaps it
  memory = {};
}

} // namespace heed::runtime::device::vulkan
