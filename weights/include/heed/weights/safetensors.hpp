#pragma once
/// \file
/// The safetensors format: eight bytes with the header's length, a JSON object {name: {dtype, shape,
/// data_offsets}}, then the tensors' bytes. `__metadata__` is left out.

#include <heed/weights/result.hpp>
#include <heed/weights/stored_tensor.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heed {

/// The tensors of a file whose whole content is `bytes`, in the order of their data; `file` begins every
/// message. As the format demands, the tensors cover the data without gap or overlap. Whatever the bytes are,
/// only they are read.
result<std::vector<stored_tensor>> parse_safetensors(std::span<const std::byte> bytes,
                                                     const std::string &file) noexcept;

} // namespace heed
