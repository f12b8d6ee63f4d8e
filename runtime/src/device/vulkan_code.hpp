#pragma once
/// \file
/// What a device function hands over as Vulkan code: kernels in SPIR-V, each behind a list of what it binds.

#include "heed/abi.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heed::runtime::device::vulkan {

/// An array that a block's threads share. Its length is in the code, or the constant that is to be set.
struct shared_array {
  std::uint32_t constant; ///< 0: none
  std::uint32_t element_bytes, elements;
};

/// Binding 0 is a buffer of the scalars, where there is one; the operands' buffers follow.
struct kernel_code {
  std::string entry;
  std::uint32_t uniform_buffers, storage_buffers;
  std::vector<shared_array> shared;
  std::uint32_t size_constants[3]; ///< that are the threads of a block; 0: they are in the code
  std::vector<std::uint32_t> spirv;
};

/// May throw std::bad_alloc.
heed_code read_code(const char *code, std::size_t size, std::vector<kernel_code> &kernels,
                    heed_status *status);

/// The capabilities that SPIR-V declares, by SPIR-V's numbers.
std::vector<std::uint32_t> capabilities(const std::vector<std::uint32_t> &spirv);

} // namespace heed::runtime::device::vulkan
