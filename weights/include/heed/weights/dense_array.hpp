#pragma once
/// \file
/// A tensor in memory of its own.

#include <heed/abi.h>
#include <heed/weights/result.hpp>
#include <heed/weights/stored_tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heed {

/// Row-major, aligned to 64 bytes. Copies share the elements.
struct dense_array {
  heed_dtype type = HEED_F32;
  std::vector<std::int64_t> shape;
  std::shared_ptr<std::byte> data;
  std::size_t bytes = 0;
};

/// The tensor's elements as `type`; fails where the file's type does not convert into it.
result<dense_array> load(const stored_tensor &tensor, heed_dtype type) noexcept;

/// In the file's own type.
result<dense_array> load(const stored_tensor &tensor) noexcept;

} // namespace heed
