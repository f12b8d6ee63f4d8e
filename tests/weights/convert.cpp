// Conversion of element types: exact for every 16-bit pattern, refused where values would change.
#include <heed/weights.hpp>

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

using namespace heed;

namespace {

template <class To, class From> To converted(From value, heed_dtype from, heed_dtype to) {
  To result;
  convert(&value, from, &result, to, 1);
  return result;
}

/// A binary format with the given widths, from its definition.
double decoded(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const std::uint32_t fraction = bits & ((1u << fraction_bits) - 1);
  const double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  return sign * std::ldexp(exponent ? fraction + std::ldexp(1.0, fraction_bits) : fraction,
                           std::max(exponent, 1) - bias - fraction_bits);
}

bool same(double found, double expected) {
  return std::isnan(expected) ? std::isnan(found)
                              : found == expected && std::signbit(found) == std::signbit(expected);
}

} // namespace

TEST_CASE("every float16 and bfloat16 becomes the same number") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto value = static_cast<std::uint16_t>(bits);
    const double half = decoded(bits, 5, 10), brain = decoded(bits, 8, 7);
    wrong += !same(converted<float>(value, HEED_F16, HEED_F32), half);
    wrong += !same(converted<double>(value, HEED_F16, HEED_F64), half);
    wrong += !same(converted<float>(value, HEED_BF16, HEED_F32), brain);
    wrong += !same(converted<double>(value, HEED_BF16, HEED_F64), brain);
  }
  CHECK(wrong == 0);
}

TEST_CASE("known float16 values") {
  const auto half = [](int bits) {
    return converted<float>(static_cast<std::uint16_t>(bits), HEED_F16, HEED_F32);
  };
  CHECK(half(0x3c00) == 1);
  CHECK(half(0xc000) == -2);
  CHECK(half(0x7bff) == 65504);
  CHECK(half(0x0001) == 0x1p-24f);
  CHECK(half(0x03ff) == 1023 * 0x1p-24f);
  CHECK(half(0x0400) == 0x1p-14f);
  CHECK(half(0xfc00) == -std::numeric_limits<float>::infinity());
  CHECK(std::signbit(half(0x8000)));
}

TEST_CASE("NaN keeps sign and payload") {
  CHECK(converted<std::uint32_t>(std::uint16_t{0xfe01}, HEED_F16, HEED_F32) == 0xffc02000);
  CHECK(converted<std::uint32_t>(std::uint16_t{0x7d55}, HEED_F16, HEED_F32) == 0x7faaa000);
  CHECK(converted<std::uint32_t>(std::uint16_t{0xff81}, HEED_BF16, HEED_F32) == 0xff810000);
}

TEST_CASE("f32 becomes f64, and any type itself, from any address") {
  std::vector<std::byte> bytes(1 + 3 * sizeof(float));
  const float values[] = {1.5f, -0.0f, std::numeric_limits<float>::denorm_min()};
  std::memcpy(bytes.data() + 1, values, sizeof values);
  double wide[3];
  convert(bytes.data() + 1, HEED_F32, wide, HEED_F64, 3);
  CHECK(wide[0] == 1.5);
  CHECK(std::signbit(wide[1]));
  CHECK(wide[2] == std::numeric_limits<float>::denorm_min());
  CHECK(converted<std::int64_t>(INT64_MIN, HEED_I64, HEED_I64) == INT64_MIN);
}

TEST_CASE("only conversions that keep every value exist") {
  const heed_dtype all[] = {HEED_B8, HEED_I32, HEED_I64, HEED_F16, HEED_BF16, HEED_F32, HEED_F64};
  int count = 0;
  for (const heed_dtype from : all)
    for (const heed_dtype to : all)
      count += converts(from, to);
  CHECK(count == 7 + 5);
  CHECK(converts(HEED_F16, HEED_F32));
  CHECK(converts(HEED_BF16, HEED_F64));
  CHECK(converts(HEED_F32, HEED_F64));
  CHECK_FALSE(converts(HEED_F32, HEED_F16));
  CHECK_FALSE(converts(HEED_F64, HEED_F32));
  CHECK_FALSE(converts(HEED_I32, HEED_F32));
}
