#include "element.hpp"

#include <cstring>

namespace heed::runtime {

bool is_zero(const heed_view &view) noexcept {
  const element &type = elements[view.dtype];
  std::uint64_t bits = 0;
  // Little endian: the bytes of a small element are the low ones.
  std::memcpy(&bits, view.data, type.bytes);
  if (type.code >= 2)
    bits <<= 65 - 8 * type.bytes;
  return bits == 0;
}

std::int64_t integer(const heed_view &view) noexcept {
  if (view.dtype == HEED_I32) {
    std::int32_t value;
    std::memcpy(&value, view.data, sizeof value);
    return value;
  }
  std::int64_t value;
  std::memcpy(&value, view.data, sizeof value);
  return value;
}

} // namespace heed::runtime
