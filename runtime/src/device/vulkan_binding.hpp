#pragma once
/// \file
/// What a kernel is started with, as Vulkan wants it.

#include "vulkan_batch.hpp"
#include "vulkan_kernels.hpp"
#include "vulkan_memories.hpp"

namespace heed::runtime::device::vulkan {

/// Whether the device starts so many blocks of such a size.
heed_code check_blocks(const physical_device &device, const kernel_start &start,
                       heed_status *status) noexcept;

/// Makes a set of the scalars and the operands. May throw std::bad_alloc.
heed_code bind(const opened_device &device, const memories &memories, batch &commands, const kernel &kernel,
               const kernel_start &start, VkDescriptorSet &set, heed_status *status);

} // namespace heed::runtime::device::vulkan
