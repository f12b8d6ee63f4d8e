#include "vulkan_batch.hpp"

#include "sentence.hpp"

#include <algorithm>
#include <cstring>

namespace heed::runtime::device::vulkan {
namespace {

/// Of pieces: what every device wants of the place of a uniform buffer.
constexpr VkDeviceSize alignment = 256;
/// Of memory that is kept for the next commands.
constexpr VkDeviceSize chunk_bytes = 1 << 16;
constexpr std::uint32_t pool_sets = 64, pool_storage_buffers = 1024;

} // namespace

batch::~batch() {
  finish(/*copies=*/false);
  for (chunk &one : chunks_)
    destroy(device_, one.memory);
  for (const pool &one : pools_)
    vk().vkDestroyDescriptorPool(device_.native, one.native, nullptr);
  vk().vkDestroyFence(device_.native, fence_, nullptr);
  vk().vkDestroyCommandPool(device_.native, command_pool_, nullptr);
}

heed_code batch::create(heed_status *status) noexcept {
  VkCommandPoolCreateInfo pool{};
  pool.family = device_.physical.queue_family;
  if (const VkResult result = vk().vkCreateCommandPool(device_.native, &pool, nullptr, &command_pool_))
    return check(result, "vkCreateCommandPool", status);
  VkCommandBufferAllocateInfo buffer{};
  buffer.pool = command_pool_;
  buffer.count = 1;
  if (const VkResult result = vk().vkAllocateCommandBuffers(device_.native, &buffer, &commands_))
    return check(result, "vkAllocateCommandBuffers", status);
  const VkCreateInfo fence{fence_create_info};
  return check(vk().vkCreateFence(device_.native, &fence, nullptr, &fence_), "vkCreateFence", status);
}

heed_code batch::begin(heed_status *status) noexcept {
  if (const VkResult result = vk().vkResetCommandPool(device_.native, command_pool_, 0))
    return check(result, "vkResetCommandPool", status);
  if (const VkResult result = vk().vkResetFences(device_.native, 1, &fence_))
    return check(result, "vkResetFences", status);
  VkCommandBufferBeginInfo info{};
  info.flags = submitted_once;
  return check(vk().vkBeginCommandBuffer(commands_, &info), "vkBeginCommandBuffer", status);
}

void batch::order() const noexcept {
  constexpr VkFlags stages = stage_compute | stage_transfer | stage_host;
  constexpr VkFlags writes = access_shader_write | access_transfer_write | access_host_write;
  VkMemoryBarrier barrier{};
  barrier.before = writes;
  barrier.after = writes | access_uniform_read | access_shader_read | access_transfer_read | access_host_read;
  vk().vkCmdPipelineBarrier(commands_, stages, stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

heed_code batch::stage(VkDeviceSize bytes, staged &made, heed_status *status) {
  auto found = std::find_if(chunks_.begin(), chunks_.end(), [&](const chunk &one) {
    return one.used <= one.memory.bytes && one.memory.bytes - one.used >= bytes;
  });
  if (found == chunks_.end()) {
    chunks_.reserve(chunks_.size() + 1);
    chunk added;
    if (const VkResult result = vulkan::create(device_, std::max(bytes, chunk_bytes), true, added.memory))
      return check(result, "vkAllocateMemory", status);
    found = chunks_.insert(chunks_.end(), added);
  }
  made = {found->memory.buffer, found->used, found->memory.mapped + found->used};
  found->used += (bytes + alignment - 1) / alignment * alignment;
  return HEED_OK;
}

heed_code batch::add_pool(heed_status *status) {
  pools_.reserve(pools_.size() + 1);
  const VkDescriptorPoolSize sizes[] = {{descriptor_uniform_buffer, pool_sets},
                                        {descriptor_storage_buffer, pool_storage_buffers}};
  VkDescriptorPoolCreateInfo info{};
  info.sets = pool_sets;
  info.count = 2;
  info.sizes = sizes;
  pool made;
  if (const VkResult result = vk().vkCreateDescriptorPool(device_.native, &info, nullptr, &made.native))
    return check(result, "vkCreateDescriptorPool", status);
  pools_.push_back(made);
  return HEED_OK;
}

heed_code batch::make_set(VkDescriptorSetLayout layout, std::uint32_t storage_buffers, VkDescriptorSet &set,
                          heed_status *status) {
  if (storage_buffers > pool_storage_buffers)
    return fail(status, HEED_UNSUPPORTED)
           << "vulkan: a kernel has " << storage_buffers << " operands, at most " << pool_storage_buffers
           << " are supported; cut the program into several";
  auto found = std::find_if(pools_.begin(), pools_.end(), [&](const pool &one) {
    return one.sets < pool_sets && one.storage_buffers + storage_buffers <= pool_storage_buffers;
  });
  if (found == pools_.end()) {
    if (const heed_code code = add_pool(status))
      return code;
    found = pools_.end() - 1;
  }
  VkDescriptorSetAllocateInfo info{};
  info.pool = found->native;
  info.count = 1;
  info.layouts = &layout;
  if (const VkResult result = vk().vkAllocateDescriptorSets(device_.native, &info, &set))
    return check(result, "vkAllocateDescriptorSets", status);
  ++found->sets;
  found->storage_buffers += storage_buffers;
  return HEED_OK;
}

void batch::copy_later(const std::byte *from, void *to, std::size_t bytes) {
  copies_.push_back({from, to, bytes});
}

void batch::destroy_later(const memory &memory) { garbage_.push_back(memory); }

void batch::finish(bool copies) noexcept {
  if (copies)
    for (const copy &one : copies_)
      std::memcpy(one.to, one.from, one.bytes);
  copies_.clear();
  for (memory &one : garbage_)
    destroy(device_, one);
  garbage_.clear();
  for (chunk &one : chunks_)
    if (one.memory.bytes > chunk_bytes)
      destroy(device_, one.memory);
  std::erase_if(chunks_, [](const chunk &one) { return one.memory.bytes == 0; });
  for (chunk &one : chunks_)
    one.used = 0;
  for (pool &one : pools_) {
    vk().vkResetDescriptorPool(device_.native, one.native, 0);
    one = {one.native};
  }
}

} // namespace heed::runtime::device::vulkan
