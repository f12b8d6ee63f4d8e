#pragma once
/// \file
/// The content of a file.

#include <heed/weights/result.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace heed::detail {

struct file_bytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> memory; ///< what holds them
};

/// Maps a regular file, reads anything else to its end.
result<file_bytes> read_file(const std::string &file);

} // namespace heed::detail
