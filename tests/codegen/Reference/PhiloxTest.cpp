// Known answers of Random123's kat_vectors for philox4x32 with 10 rounds, and the numbers made of them.
#include "Reference/Philox.h"

#include <catch2/catch.hpp>
#include <set>

using heed::reference::philox;
using heed::reference::uniform;

using Words = std::array<std::uint32_t, 4>;

TEST_CASE("Philox gives the published words") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a number comes from the seed, the index and the site, all bits of them") {
  CHECK(uniform(0, 0, 0) == (0x6627e8d5 >> 8) * 0x1p-24f);
  CHECK(uniform(0x299f31d0a4093822, static_cast<std::int64_t>(0x85a308d3243f6a88), 0x13198a2e) ==
        (philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0}, {0xa4093822, 0x299f31d0})[0] >> 8) * 0x1p-24f);
  std::set<float> numbers = {uniform(1, 2, 3), uniform(2, 2, 3), uniform(1 + (1LL << 32), 2, 3),
                             uniform(1, 3, 3), uniform(1, 2, 4), uniform(1, 2 + (1LL << 32), 3),
                             uniform(-1, 2, 3)};
  CHECK(numbers.size() == 7);
}
