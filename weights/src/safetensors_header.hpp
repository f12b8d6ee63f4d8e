#pragma once
/// \file
/// The JSON header of a safetensors file.

#include <heed/weights/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::detail {

/// What the header says of a tensor, unchecked but for its form.
struct header_entry {
  std::string name;
  std::optional<std::string> dtype;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::int64_t>> offsets; ///< begin and end
};

/// Refuses what is not JSON, doubled names, and values of another kind than the format's.
result<std::vector<header_entry>> read_safetensors_header(std::string_view text, const std::string &file);

} // namespace heed::detail
