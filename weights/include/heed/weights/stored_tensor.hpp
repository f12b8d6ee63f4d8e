#pragma once
/// \file
/// A tensor as a file holds it.

#include <heed/abi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed {

/// Its bytes belong to the file's; they are little endian and not aligned.
struct stored_tensor {
  std::string name;
  std::string file;
  std::string type_name;          ///< as the file has it: "F16", "<f2"
  std::optional<heed_dtype> type; ///< none: the file may hold it, no kernel can take it
  std::vector<std::int64_t> shape;
  bool column_major = false; ///< the first axis is the innermost, as in .npy files of Fortran order
  std::span<const std::byte> data;
};

} // namespace heed
