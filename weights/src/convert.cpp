#include <heed/weights/convert.hpp>

#include <bit>
#include <cstdint>
#include <cstring>

namespace heed {
namespace {

/// A NaN keeps its payload, in the upper bits of the longer fraction.
float from_float16(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const std::uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) {
    // Multiples of 2^-24, all of them normal numbers here.
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

float from_bfloat16(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <class From, class To, class Function>
void each(const void *source, void *destination, std::size_t count, Function function) noexcept {
  const auto *from = static_cast<const std::byte *>(source);
  auto *to = static_cast<std::byte *>(destination);
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    const auto converted = static_cast<To>(function(value));
    std::memcpy(to + i * sizeof converted, &converted, sizeof converted);
  }
}

bool is_16_bit(heed_dtype type) noexcept { return type == HEED_F16 || type == HEED_BF16; }

} // namespace

std::size_t bytes_per_element(heed_dtype type) noexcept {
  constexpr std::size_t bytes[] = {1, 4, 8, 2, 2, 4, 8};
  return bytes[type];
}

const char *type_name(heed_dtype type) noexcept {
  constexpr const char *names[] = {"b8", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return names[type];
}

bool converts(heed_dtype from, heed_dtype to) noexcept {
  return from == to || (is_16_bit(from) && to == HEED_F32) ||
         ((is_16_bit(from) || from == HEED_F32) && to == HEED_F64);
}

void convert(const void *source, heed_dtype from, void *destination, heed_dtype to,
             std::size_t count) noexcept {
  const auto identity = [](float value) { return value; };
  if (from == to) {
    if (count > 0)
      std::memcpy(destination, source, count * bytes_per_element(from));
  } else if (to == HEED_F32) {
    from == HEED_F16 ? each<std::uint16_t, float>(source, destination, count, from_float16)
                     : each<std::uint16_t, float>(source, destination, count, from_bfloat16);
  } else if (from == HEED_F32) {
    each<float, double>(source, destination, count, identity);
  } else {
    from == HEED_F16 ? each<std::uint16_t, double>(source, destination, count, from_float16)
                     : each<std::uint16_t, double>(source, destination, count, from_bfloat16);
  }
}

} // namespace heed
