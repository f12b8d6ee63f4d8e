#pragma once
/// \file
/// The types and numbers of Vulkan 1.2 that the runtime needs, under Vulkan's names.

#include "heed/abi.h"

#include <cstddef>
#include <cstdint>

namespace heed::runtime::device::vulkan {

using VkResult = std::int32_t;
using VkBool32 = std::uint32_t;
using VkFlags = std::uint32_t;
using VkDeviceSize = std::uint64_t;
using VkInstance = struct instance_object *;
using VkPhysicalDevice = struct physical_device_object *;
using VkDevice = struct device_object *;
using VkQueue = struct queue_object *;
using VkCommandBuffer = struct command_buffer_object *;
// Not dispatchable: 64 bits everywhere, here with a type each.
enum VkFence : std::uint64_t {};
enum VkBuffer : std::uint64_t {};
enum VkDeviceMemory : std::uint64_t {};
enum VkShaderModule : std::uint64_t {};
enum VkDescriptorSetLayout : std::uint64_t {};
enum VkDescriptorSet : std::uint64_t {};
enum VkDescriptorPool : std::uint64_t {};
enum VkPipelineLayout : std::uint64_t {};
enum VkPipelineCache : std::uint64_t {};
enum VkPipeline : std::uint64_t {};
enum VkCommandPool : std::uint64_t {};

inline constexpr VkResult success = 0, not_ready = 1, out_of_host_memory = -1, out_of_device_memory = -2,
                          device_lost = -4, incompatible_driver = -9, too_many_objects = -10;
inline constexpr std::uint32_t version_1_2 = 1u << 22 | 2u << 12;
inline constexpr std::uint32_t type_integrated_gpu = 1, type_discrete_gpu = 2, type_cpu = 4;
inline constexpr VkFlags queue_compute = 2;
inline constexpr VkFlags heap_device_local = 1;
inline constexpr VkFlags memory_device_local = 1, memory_host_visible = 2, memory_host_coherent = 4,
                         memory_host_cached = 8;
inline constexpr VkFlags buffer_transfer_from = 1, buffer_transfer_to = 2, buffer_uniform = 0x10,
                         buffer_storage = 0x20;
inline constexpr VkFlags stage_compute = 0x800, stage_transfer = 0x1000, stage_host = 0x4000;
inline constexpr VkFlags access_uniform_read = 8, access_shader_read = 0x20, access_shader_write = 0x40,
                         access_transfer_read = 0x800, access_transfer_write = 0x1000,
                         access_host_read = 0x2000, access_host_write = 0x4000;
inline constexpr VkFlags shader_stage_compute = 0x20, submitted_once = 1;
inline constexpr std::uint32_t bind_point_compute = 1;
inline constexpr std::uint32_t descriptor_uniform_buffer = 6, descriptor_storage_buffer = 7;

/// Of a structure's first member.
enum structure : std::uint32_t {
  application_info = 0,
  instance_create_info = 1,
  device_queue_create_info = 2,
  device_create_info = 3,
  submit_info = 4,
  memory_allocate_info = 5,
  fence_create_info = 8,
  buffer_create_info = 12,
  shader_module_create_info = 16,
  pipeline_shader_stage_create_info = 18,
  compute_pipeline_create_info = 29,
  pipeline_layout_create_info = 30,
  descriptor_set_layout_create_info = 32,
  descriptor_pool_create_info = 33,
  descriptor_set_allocate_info = 34,
  write_descriptor_set = 35,
  command_pool_create_info = 39,
  command_buffer_allocate_info = 40,
  command_buffer_begin_info = 42,
  memory_barrier = 46,
  vulkan_1_1_features = 49,
  vulkan_1_2_features = 51,
  features_2 = 1000059000
};

struct VkApplicationInfo {
  structure type = application_info;
  const void *next = nullptr;
  const char *application_name;
  std::uint32_t application_version;
  const char *engine_name;
  std::uint32_t engine_version;
  std::uint32_t api_version;
};
struct VkInstanceCreateInfo {
  structure type = instance_create_info;
  const void *next = nullptr;
  VkFlags flags;
  const VkApplicationInfo *application;
  std::uint32_t layer_count;
  const char *const *layers;
  std::uint32_t extension_count;
  const char *const *extensions;
};
struct VkPhysicalDeviceProperties {
  std::uint32_t api_version, driver_version, vendor, device, type;
  char name[256];
  std::uint8_t cache_id[16];
  // The limits, of which these count here.
  alignas(8) std::uint32_t images[6];
  std::uint32_t max_uniform_range, max_storage_range;
  std::uint32_t others[46];
  std::uint32_t max_shared_bytes;
  std::uint32_t max_block_count[3], max_block_threads, max_block_size[3];
  std::uint32_t more[69];
};
struct VkPhysicalDeviceFeatures {
  VkBool32 graphics[39], shader_float64, shader_int64, shader_int16, others[13];
};
struct VkPhysicalDeviceVulkan12Features {
  structure type = vulkan_1_2_features;
  void *next = nullptr;
  VkBool32 some[2], storage8, uniform_and_storage8, others[4], shader_int8, more[38];
};
struct VkPhysicalDeviceVulkan11Features {
  structure type = vulkan_1_1_features;
  void *next = nullptr;
  VkBool32 storage16, uniform_and_storage16, others[10];
};
struct VkPhysicalDeviceFeatures2 {
  structure type = features_2;
  void *next = nullptr;
  VkPhysicalDeviceFeatures features;
};
struct VkQueueFamilyProperties {
  VkFlags flags;
  std::uint32_t count, timestamp_bits, image_granularity[3];
};
struct VkPhysicalDeviceMemoryProperties {
  std::uint32_t type_count;
  struct {
    VkFlags flags;
    std::uint32_t heap;
  } types[32];
  std::uint32_t heap_count;
  struct {
    VkDeviceSize bytes;
    VkFlags flags;
  } heaps[16];
};
struct VkDeviceQueueCreateInfo {
  structure type = device_queue_create_info;
  const void *next = nullptr;
  VkFlags flags;
  std::uint32_t family, count;
  const float *priorities;
};
struct VkDeviceCreateInfo {
  structure type = device_create_info;
  const void *next;
  VkFlags flags;
  std::uint32_t queue_count;
  const VkDeviceQueueCreateInfo *queues;
  std::uint32_t layer_count;
  const char *const *layers;
  std::uint32_t extension_count;
  const char *const *extensions;
  const VkPhysicalDeviceFeatures *features;
};
/// Of what needs nothing but its type: a fence.
struct VkCreateInfo {
  structure type;
  const void *next = nullptr;
  VkFlags flags = 0;
};
struct VkSubmitInfo {
  structure type = submit_info;
  const void *next = nullptr;
  std::uint32_t wait_count;
  const void *waits;
  const VkFlags *wait_stages;
  std::uint32_t command_buffer_count;
  const VkCommandBuffer *command_buffers;
  std::uint32_t signal_count;
  const void *signals;
};
struct VkBufferCreateInfo {
  structure type = buffer_create_info;
  const void *next = nullptr;
  VkFlags flags;
  VkDeviceSize bytes;
  VkFlags usage;
  std::uint32_t sharing, family_count;
  const std::uint32_t *families;
};
struct VkMemoryRequirements {
  VkDeviceSize bytes, alignment;
  std::uint32_t types;
};
struct VkMemoryAllocateInfo {
  structure type = memory_allocate_info;
  const void *next = nullptr;
  VkDeviceSize bytes;
  std::uint32_t memory_type;
};
struct VkShaderModuleCreateInfo {
  structure type = shader_module_create_info;
  const void *next = nullptr;
  VkFlags flags;
  std::size_t bytes;
  const std::uint32_t *code;
};
struct VkDescriptorSetLayoutBinding {
  std::uint32_t binding, type, count;
  VkFlags stages;
  const void *samplers;
};
struct VkDescriptorSetLayoutCreateInfo {
  structure type = descriptor_set_layout_create_info;
  const void *next = nullptr;
  VkFlags flags;
  std::uint32_t count;
  const VkDescriptorSetLayoutBinding *bindings;
};
struct VkPipelineLayoutCreateInfo {
  structure type = pipeline_layout_create_info;
  const void *next = nullptr;
  VkFlags flags;
  std::uint32_t set_count;
  const VkDescriptorSetLayout *sets;
  std::uint32_t constant_count;
  const void *constants;
};
struct VkSpecializationMapEntry {
  std::uint32_t id, offset;
  std::size_t bytes;
};
struct VkSpecializationInfo {
  std::uint32_t count;
  const VkSpecializationMapEntry *entries;
  std::size_t bytes;
  const void *data;
};
struct VkPipelineShaderStageCreateInfo {
  structure type = pipeline_shader_stage_create_info;
  const void *next = nullptr;
  VkFlags flags;
  VkFlags stage;
  VkShaderModule module;
  const char *name;
  const VkSpecializationInfo *specialization;
};
struct VkComputePipelineCreateInfo {
  structure type = compute_pipeline_create_info;
  const void *next = nullptr;
  VkFlags flags;
  VkPipelineShaderStageCreateInfo stage;
  VkPipelineLayout layout;
  VkPipeline base;
  std::int32_t base_index;
};
struct VkDescriptorPoolSize {
  std::uint32_t type, count;
};
struct VkDescriptorPoolCreateInfo {
  structure type = descriptor_pool_create_info;
  const void *next = nullptr;
  VkFlags flags;
  std::uint32_t sets, count;
  const VkDescriptorPoolSize *sizes;
};
struct VkDescriptorSetAllocateInfo {
  structure type = descriptor_set_allocate_info;
  const void *next = nullptr;
  VkDescriptorPool pool;
  std::uint32_t count;
  const VkDescriptorSetLayout *layouts;
};
struct VkDescriptorBufferInfo {
  VkBuffer buffer;
  VkDeviceSize offset, bytes;
};
struct VkWriteDescriptorSet {
  structure type = write_descriptor_set;
  const void *next = nullptr;
  VkDescriptorSet set;
  std::uint32_t binding, element, count, descriptor_type;
  const void *images;
  const VkDescriptorBufferInfo *buffers;
  const void *views;
};
struct VkCommandPoolCreateInfo {
  structure type = command_pool_create_info;
  const void *next = nullptr;
  VkFlags flags;
  std::uint32_t family;
};
struct VkCommandBufferAllocateInfo {
  structure type = command_buffer_allocate_info;
  const void *next = nullptr;
  VkCommandPool pool;
  std::uint32_t level, count;
};
struct VkCommandBufferBeginInfo {
  structure type = command_buffer_begin_info;
  const void *next = nullptr;
  VkFlags flags;
  const void *inheritance;
};
struct VkMemoryBarrier {
  structure type = memory_barrier;
  const void *next = nullptr;
  VkFlags before, after;
};
struct VkBufferCopy {
  VkDeviceSize from, to, bytes;
};

} // namespace heed::runtime::device::vulkan
