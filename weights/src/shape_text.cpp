#include "shape_text.hpp"

#include <algorithm>

namespace heed::detail {

std::string shape_text(const std::vector<std::int64_t> &shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text.append(axis ? "," : "").append(std::to_string(shape[axis]));
  return text + ")";
}

bool dense_bytes(const std::vector<std::int64_t> &shape, std::uint64_t element_bytes,
                 std::uint64_t &bytes) noexcept {
  bytes = 0;
  if (std::count(shape.begin(), shape.end(), 0) > 0)
    return true;
  std::int64_t product = static_cast<std::int64_t>(element_bytes);
  for (const std::int64_t extent : shape)
    if (__builtin_mul_overflow(product, extent, &product))
      return false;
  bytes = static_cast<std::uint64_t>(product);
  return true;
}

} // namespace heed::detail
