#pragma once
/// \file
/// PTX as drivers need it.

#include <string>
#include <string_view>

namespace heed::runtime::device::cuda {

/// Gives the shared memory of a block a name. Kernels have it at address 0; from compute capability 9.0 on
/// the first KiB there is the system's (%reserved_smem_offset_begin), and memory that a kernel declares
/// begins behind that. The driver adds the name's address to an access at no cost.
std::string with_declared_shared_memory(std::string_view ptx);

} // namespace heed::runtime::device::cuda
