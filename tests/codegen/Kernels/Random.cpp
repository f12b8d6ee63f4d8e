// Random numbers against the known answers that the authors of Philox publish with it (Random123).
#include "Random.h"

#include <catch2/catch.hpp>

using namespace heed::kernels;

namespace {

Halide::Expr word(uint32_t value) { return Halide::Expr(value); }

std::array<uint64_t, 4> answer(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  const auto words = philox({word(counter[0]), word(counter[1]), word(counter[2]), word(counter[3])},
                            {word(key[0]), word(key[1])});
  std::array<uint64_t, 4> values{};
  for (int n = 0; n < 4; ++n) {
    const auto value = Halide::Internal::as_const_uint(Halide::Internal::simplify(words[n]));
    REQUIRE(value.has_value());
    values[n] = *value;
  }
  return values;
}

} // namespace

TEST_CASE("known answers of Philox", "[random]") {
  CHECK(answer({0, 0, 0, 0}, {0, 0}) ==
        std::array<uint64_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(answer({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        std::array<uint64_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(answer({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        std::array<uint64_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a uniform number has the seed as key and index and site as counter", "[random]") {
  const auto number = Halide::Internal::as_const_float(Halide::Internal::simplify(
      uniform(Halide::Expr(int64_t(0x299f31d0a4093822)), Halide::Expr(int64_t(0x0123456789abcdef)), 7)));
  REQUIRE(number.has_value());
  const uint64_t first = answer({0x89abcdef, 0x01234567, 7, 0}, {0xa4093822, 0x299f31d0})[0];
  CHECK(*number == double(first >> 8) * 0x1p-24);
}
