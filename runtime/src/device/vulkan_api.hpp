#pragma once
/// \file
/// The functions of Vulkan 1.2 that the runtime calls, with their types and numbers.

#include "vulkan_types.hpp"

namespace heed::runtime::device::vulkan {

/// Found in the loader's library; `complete` when every function was.
struct functions {
  VkResult (*vkCreateInstance)(const VkInstanceCreateInfo *, const void *, VkInstance *);
  VkResult (*vkEnumeratePhysicalDevices)(VkInstance, std::uint32_t *, VkPhysicalDevice *);
  void (*vkGetPhysicalDeviceProperties)(VkPhysicalDevice, VkPhysicalDeviceProperties *);
  void (*vkGetPhysicalDeviceFeatures2)(VkPhysicalDevice, VkPhysicalDeviceFeatures2 *);
  void (*vkGetPhysicalDeviceQueueFamilyProperties)(VkPhysicalDevice, std::uint32_t *,
                                                   VkQueueFamilyProperties *);
  void (*vkGetPhysicalDeviceMemoryProperties)(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties *);
  VkResult (*vkCreateDevice)(VkPhysicalDevice, const VkDeviceCreateInfo *, const void *, VkDevice *);
  void (*vkDestroyDevice)(VkDevice, const void *);
  void (*vkGetDeviceQueue)(VkDevice, std::uint32_t, std::uint32_t, VkQueue *);
  VkResult (*vkQueueSubmit)(VkQueue, std::uint32_t, const VkSubmitInfo *, VkFence);
  VkResult (*vkCreateFence)(VkDevice, const VkCreateInfo *, const void *, VkFence *);
  void (*vkDestroyFence)(VkDevice, VkFence, const void *);
  VkResult (*vkResetFences)(VkDevice, std::uint32_t, const VkFence *);
  VkResult (*vkGetFenceStatus)(VkDevice, VkFence);
  VkResult (*vkWaitForFences)(VkDevice, std::uint32_t, const VkFence *, VkBool32, std::uint64_t);

  VkResult (*vkCreateBuffer)(VkDevice, const VkBufferCreateInfo *, const void *, VkBuffer *);
  void (*vkDestroyBuffer)(VkDevice, VkBuffer, const void *);
  void (*vkGetBufferMemoryRequirements)(VkDevice, VkBuffer, VkMemoryRequirements *);
  VkResult (*vkAllocateMemory)(VkDevice, const VkMemoryAllocateInfo *, const void *, VkDeviceMemory *);
  void (*vkFreeMemory)(VkDevice, VkDeviceMemory, const void *);
  VkResult (*vkBindBufferMemory)(VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize);
  VkResult (*vkMapMemory)(VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize, VkFlags, void **);

  VkResult (*vkCreateShaderModule)(VkDevice, const VkShaderModuleCreateInfo *, const void *,
                                   VkShaderModule *);
  void (*vkDestroyShaderModule)(VkDevice, VkShaderModule, const void *);
  VkResult (*vkCreateDescriptorSetLayout)(VkDevice, const VkDescriptorSetLayoutCreateInfo *, const void *,
                                          VkDescriptorSetLayout *);
  void (*vkDestroyDescriptorSetLayout)(VkDevice, VkDescriptorSetLayout, const void *);
  VkResult (*vkCreatePipelineLayout)(VkDevice, const VkPipelineLayoutCreateInfo *, const void *,
                                     VkPipelineLayout *);
  void (*vkDestroyPipelineLayout)(VkDevice, VkPipelineLayout, const void *);
  VkResult (*vkCreateComputePipelines)(VkDevice, VkPipelineCache, std::uint32_t,
                                       const VkComputePipelineCreateInfo *, const void *, VkPipeline *);
  void (*vkDestroyPipeline)(VkDevice, VkPipeline, const void *);
  VkResult (*vkCreateDescriptorPool)(VkDevice, const VkDescriptorPoolCreateInfo *, const void *,
                                     VkDescriptorPool *);
  void (*vkDestroyDescriptorPool)(VkDevice, VkDescriptorPool, const void *);
  VkResult (*vkResetDescriptorPool)(VkDevice, VkDescriptorPool, VkFlags);
  VkResult (*vkAllocateDescriptorSets)(VkDevice, const VkDescriptorSetAllocateInfo *, VkDescriptorSet *);
  void (*vkUpdateDescriptorSets)(VkDevice, std::uint32_t, const VkWriteDescriptorSet *, std::uint32_t,
                                 const void *);

  VkResult (*vkCreateCommandPool)(VkDevice, const VkCommandPoolCreateInfo *, const void *, VkCommandPool *);
  void (*vkDestroyCommandPool)(VkDevice, VkCommandPool, const void *);
  VkResult (*vkResetCommandPool)(VkDevice, VkCommandPool, VkFlags);
  VkResult (*vkAllocateCommandBuffers)(VkDevice, const VkCommandBufferAllocateInfo *, VkCommandBuffer *);
  VkResult (*vkBeginCommandBuffer)(VkCommandBuffer, const VkCommandBufferBeginInfo *);
  VkResult (*vkEndCommandBuffer)(VkCommandBuffer);
  void (*vkCmdPipelineBarrier)(VkCommandBuffer, VkFlags, VkFlags, VkFlags, std::uint32_t,
                               const VkMemoryBarrier *, std::uint32_t, const void *, std::uint32_t,
                               const void *);
  void (*vkCmdCopyBuffer)(VkCommandBuffer, VkBuffer, VkBuffer, std::uint32_t, const VkBufferCopy *);
  void (*vkCmdUpdateBuffer)(VkCommandBuffer, VkBuffer, VkDeviceSize, VkDeviceSize, const void *);
  void (*vkCmdBindPipeline)(VkCommandBuffer, std::uint32_t, VkPipeline);
  void (*vkCmdBindDescriptorSets)(VkCommandBuffer, std::uint32_t, VkPipelineLayout, std::uint32_t,
                                  std::uint32_t, const VkDescriptorSet *, std::uint32_t,
                                  const std::uint32_t *);
  void (*vkCmdDispatch)(VkCommandBuffer, std::uint32_t, std::uint32_t, std::uint32_t);
  bool complete;
};

/// Opened once per process.
const functions &vk() noexcept;

/// In words, for a function that returned something else than success.
heed_code check(VkResult result, const char *function, heed_status *status) noexcept;

} // namespace heed::runtime::device::vulkan
