#pragma once
/// \file
/// Tensors of files with strides, and their copies in row-major order.

#include <heed/weights/dense_array.hpp>
#include <heed/weights/stored_tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed::detail {

/// Part of a stored tensor, or its transpose. Strides count elements.
struct strided_tensor {
  heed_dtype type;
  const std::byte *data;
  std::vector<std::int64_t> shape, strides;

  bool is_dense() const noexcept;
};

/// `type` is the tensor's own, which must be one that kernels know.
strided_tensor strided(const stored_tensor &tensor, heed_dtype type);

/// Room for the elements of a dense tensor. Throws std::bad_alloc.
dense_array make_array(heed_dtype type, std::vector<std::int64_t> shape);

/// Writes the tensor's elements, converted, in row-major order. Returns the end of what it wrote.
std::byte *copy_converted(const strided_tensor &tensor, heed_dtype type, std::byte *destination);

} // namespace heed::detail
