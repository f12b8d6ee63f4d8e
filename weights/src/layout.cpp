#include "layout.hpp"

#include <heed/weights/convert.hpp>

#include "guarded.hpp"
#include "shape_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace heed {
namespace detail {
namespace {

constexpr std::align_val_t alignment{64};

/// One row of `count` elements that lie `stride` elements apart.
void copy_row(const std::byte *source, std::int64_t stride, heed_dtype from, std::byte *destination,
              heed_dtype to, std::int64_t count) noexcept {
  if (stride == 1 || count == 1)
    return convert(source, from, destination, to, static_cast<std::size_t>(count));
  constexpr std::int64_t chunk = 128;
  std::array<std::byte, chunk * sizeof(double)> gathered;
  const std::size_t bytes = bytes_per_element(from);
  for (std::int64_t begin = 0; begin < count; begin += chunk) {
    const std::int64_t n = std::min(chunk, count - begin);
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(&gathered[static_cast<std::size_t>(i) * bytes],
                  source + (begin + i) * stride * static_cast<std::int64_t>(bytes), bytes);
    convert(gathered.data(), from, destination, to, static_cast<std::size_t>(n));
    destination += static_cast<std::size_t>(n) * bytes_per_element(to);
  }
}

} // namespace

bool strided_tensor::is_dense() const noexcept {
  std::int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; step *= shape[axis])
    if (shape[axis] > 1 && strides[axis] != step)
      return false;
  return true;
}

strided_tensor strided(const stored_tensor &tensor, heed_dtype type) {
  strided_tensor result{type, tensor.data.data(), tensor.shape, {}};
  const std::size_t rank = tensor.shape.size();
  result.strides.resize(rank);
  std::int64_t step = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = tensor.column_major ? i : rank - 1 - i;
    result.strides[axis] = step;
    step *= std::max<std::int64_t>(tensor.shape[axis], 1);
  }
  return result;
}

dense_array make_array(heed_dtype type, std::vector<std::int64_t> shape) {
  std::uint64_t bytes = 0;
  if (!dense_bytes(shape, bytes_per_element(type), bytes))
    throw std::bad_alloc();
  dense_array result{type, std::move(shape), nullptr, bytes};
  auto *memory = static_cast<std::byte *>(::operator new(std::max<std::size_t>(bytes, 1), alignment));
  result.data.reset(memory, [](std::byte *data) { ::operator delete(data, alignment); });
  return result;
}

std::byte *copy_converted(const strided_tensor &tensor, heed_dtype type, std::byte *destination) {
  if (std::count(tensor.shape.begin(), tensor.shape.end(), 0) > 0)
    return destination;
  const std::size_t rank = tensor.shape.size();
  const std::int64_t row = rank > 0 ? tensor.shape.back() : 1, stride = rank > 0 ? tensor.strides.back() : 1;
  const auto element = static_cast<std::int64_t>(bytes_per_element(tensor.type));
  std::vector<std::int64_t> index(rank, 0);
  std::int64_t offset = 0;
  while (true) {
    copy_row(tensor.data + offset * element, stride, tensor.type, destination, type, row);
    destination += static_cast<std::size_t>(row) * bytes_per_element(type);
    std::size_t axis = rank > 0 ? rank - 1 : 0;
    for (; axis-- > 0;) {
      offset += tensor.strides[axis];
      if (++index[axis] < tensor.shape[axis])
        break;
      offset -= index[axis] * tensor.strides[axis];
      index[axis] = 0;
    }
    if (axis == std::numeric_limits<std::size_t>::max())
      return destination;
  }
}

} // namespace detail

result<dense_array> load(const stored_tensor &tensor, heed_dtype type) noexcept {
  return detail::guarded(tensor.name.c_str(), [&]() -> result<dense_array> {
    if (!tensor.type || !converts(*tensor.type, type))
      return failure{tensor.file + ": " + tensor.name + " has type " + tensor.type_name + ", " +
                     type_name(type) + " is needed; convert the file"};
    dense_array array = detail::make_array(type, tensor.shape);
    detail::copy_converted(detail::strided(tensor, *tensor.type), type, array.data.get());
    return array;
  });
}

result<dense_array> load(const stored_tensor &tensor) noexcept {
  return load(tensor, tensor.type.value_or(HEED_F32));
}

} // namespace heed
