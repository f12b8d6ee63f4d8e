#include "vulkan_binding.hpp"

#include "sentence.hpp"

#include <cstring>

namespace heed::runtime::device::vulkan {
namespace {

/// The scalars, one right after the other, then for each operand where it begins in its buffer: at 0.
heed_code stage_scalars(batch &commands, const kernel_start &start, VkDescriptorBufferInfo &made,
                        heed_status *status) {
  std::vector<std::byte> bytes;
  std::size_t operands = 0;
  for (std::size_t i = 0; start.sizes[i]; ++i) {
    const auto *value = static_cast<const std::byte *>(start.arguments[i]);
    if (start.are_buffers[i])
      ++operands;
    else
      bytes.insert(bytes.end(), value, value + start.sizes[i]);
  }
  constexpr std::size_t word = sizeof(std::int32_t);
  bytes.resize((bytes.size() + word - 1) / word * word + operands * word);
  staged piece;
  if (const heed_code code = commands.stage(bytes.size(), piece, status))
    return code;
  std::memcpy(piece.at, bytes.data(), bytes.size());
  made = {piece.buffer, piece.offset, bytes.size()};
  return HEED_OK;
}

heed_code find_operand(const physical_device &device, const memory &memory, const char *entry,
                       VkDescriptorBufferInfo &found, heed_status *status) noexcept {
  if (memory.bytes == 0)
    return fail(status, HEED_INVALID_ARGUMENT)
           << "vulkan: an operand of " << entry
           << " isn't memory of the device, some is needed; pass memory of heed_device_allocate";
  if (memory.bytes > device.properties.max_storage_range)
    return fail(status, HEED_UNSUPPORTED)
           << "vulkan: the memory of an operand of " << entry << " has " << memory.bytes << " bytes, at most "
           << device.properties.max_storage_range << " are needed on " << device.properties.name
           << "; call on parts of the batch";
  found = {memory.buffer, 0, memory.bytes};
  return HEED_OK;
}

} // namespace

heed_code check_blocks(const physical_device &device, const kernel_start &start,
                       heed_status *status) noexcept {
  const VkPhysicalDeviceProperties &limits = device.properties;
  for (int axis = 0; axis < 3; ++axis) {
    if (static_cast<std::uint32_t>(start.blocks[axis]) > limits.max_block_count[axis])
      return fail(status, HEED_UNSUPPORTED)
             << "vulkan: " << start.entry << " has " << start.blocks[axis]
             << " blocks along an axis, at most " << limits.max_block_count[axis] << " are needed on "
             << limits.name << "; call on parts of the batch";
    if (static_cast<std::uint32_t>(start.threads[axis]) > limits.max_block_size[axis])
      return fail(status, HEED_UNSUPPORTED)
             << "vulkan: a block of " << start.entry << " has " << start.threads[axis]
             << " threads along an axis, at most " << limits.max_block_size[axis] << " are needed on "
             << limits.name << "; choose a schedule of smaller blocks";
  }
  return HEED_OK;
}

heed_code bind(const opened_device &device, const memories &memories, batch &commands, const kernel &kernel,
               const kernel_start &start, VkDescriptorSet &set, heed_status *status) {
  const kernel_code &code = kernel.code();
  std::vector<VkDescriptorBufferInfo> buffers(code.uniform_buffers);
  if (code.uniform_buffers)
    if (const heed_code failed = stage_scalars(commands, start, buffers[0], status))
      return failed;
  for (std::size_t i = 0; start.sizes[i]; ++i)
    if (start.are_buffers[i]) {
      const memory memory = memories.find(static_cast<const heed_buffer *>(start.arguments[i])->device);
      if (const heed_code failed =
              find_operand(device.physical, memory, start.entry, buffers.emplace_back(), status))
        return failed;
    }
  if (buffers.size() != code.uniform_buffers + code.storage_buffers)
    return fail(status, HEED_UNSUPPORTED)
           << "vulkan: " << start.entry << " is started with " << buffers.size() - code.uniform_buffers
           << " buffers, " << code.storage_buffers
           << " are needed; rebuild the library with the compiler that came with this runtime";
  if (const heed_code failed = commands.make_set(kernel.set_layout(), code.storage_buffers, set, status))
    return failed;
  std::vector<VkWriteDescriptorSet> writes(buffers.size());
  for (std::uint32_t b = 0; b < buffers.size(); ++b) {
    writes[b].set = set;
    writes[b].binding = b;
    writes[b].count = 1;
    writes[b].descriptor_type =
        b < code.uniform_buffers ? descriptor_uniform_buffer : descriptor_storage_buffer;
    writes[b].buffers = &buffers[b];
  }
  vk().vkUpdateDescriptorSets(device.native, static_cast<std::uint32_t>(writes.size()), writes.data(), 0,
                              nullptr);
  return HEED_OK;
}

} // namespace heed::runtime::device::vulkan
