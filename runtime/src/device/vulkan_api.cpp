#include "vulkan_api.hpp"

#include "library.hpp"
#include "sentence.hpp"

#include <string_view>

namespace heed::runtime::device::vulkan {
namespace {

#define FIND(function) vulkan.find(#function, found.function)

bool find_for_devices(const library &vulkan, functions &found) noexcept {
  return FIND(vkCreateInstance) && FIND(vkEnumeratePhysicalDevices) && FIND(vkGetPhysicalDeviceProperties) &&
         FIND(vkGetPhysicalDeviceFeatures2) && FIND(vkGetPhysicalDeviceQueueFamilyProperties) &&
         FIND(vkGetPhysicalDeviceMemoryProperties) && FIND(vkCreateDevice) && FIND(vkDestroyDevice) &&
         FIND(vkGetDeviceQueue) && FIND(vkQueueSubmit) && FIND(vkCreateFence) && FIND(vkDestroyFence) &&
         FIND(vkResetFences) && FIND(vkGetFenceStatus) && FIND(vkWaitForFences) && FIND(vkCreateBuffer) &&
         FIND(vkDestroyBuffer) && FIND(vkGetBufferMemoryRequirements) && FIND(vkAllocateMemory) &&
         FIND(vkFreeMemory) && FIND(vkBindBufferMemory) && FIND(vkMapMemory);
}

bool find_for_kernels(const library &vulkan, functions &found) noexcept {
  return FIND(vkCreateShaderModule) && FIND(vkDestroyShaderModule) && FIND(vkCreateDescriptorSetLayout) &&
         FIND(vkDestroyDescriptorSetLayout) && FIND(vkCreatePipelineLayout) &&
         FIND(vkDestroyPipelineLayout) && FIND(vkCreateComputePipelines) && FIND(vkDestroyPipeline) &&
         FIND(vkCreateDescriptorPool) && FIND(vkDestroyDescriptorPool) && FIND(vkResetDescriptorPool) &&
         FIND(vkAllocateDescriptorSets) && FIND(vkUpdateDescriptorSets) && FIND(vkCreateCommandPool) &&
         FIND(vkDestroyCommandPool) && FIND(vkResetCommandPool) && FIND(vkAllocateCommandBuffers) &&
         FIND(vkBeginCommandBuffer) && FIND(vkEndCommandBuffer) && FIND(vkCmdPipelineBarrier) &&
         FIND(vkCmdCopyBuffer) && FIND(vkCmdUpdateBuffer) && FIND(vkCmdBindPipeline) &&
         FIND(vkCmdBindDescriptorSets) && FIND(vkCmdDispatch);
}

#undef FIND

functions find_functions() noexcept {
  functions found{};
  const library vulkan("libvulkan.so.1");
  found.complete = vulkan && find_for_devices(vulkan, found) && find_for_kernels(vulkan, found);
  return found;
}

} // namespace

const functions &vk() noexcept {
  static const functions found = find_functions();
  return found;
}

heed_code check(VkResult result, const char *function, heed_status *status) noexcept {
  if (result == success)
    return HEED_OK;
  const bool memory = result == out_of_host_memory || result == out_of_device_memory;
  const std::string_view meaning = memory                       ? " (no memory)"
                                   : result == device_lost      ? " (the device is lost)"
                                   : result == too_many_objects ? " (too many objects)"
                                                                : "";
  return fail(status, memory ? HEED_OUT_OF_MEMORY : HEED_UNSUPPORTED)
         << "vulkan: " << function << " returned " << result << meaning
         << ", 0 is needed; free memory of the device, or call on another one";
}

} // namespace heed::runtime::device::vulkan
