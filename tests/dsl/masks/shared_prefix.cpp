#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("continuations see the prefix and themselves") {
  constexpr auto &packed = masked<[](graph &g) { return shared_prefix(2, g.input("ids", i32, {queries})); }>;
  // Two tokens of prefix, then continuations of three and two tokens.
  check_mask(packed, {{"ids", numbers({4, 5, 4, 4, 4, 9, 9})}}, {1, 1, 7, 7},
             [](int, int, int q, int k) { return k <= q && (k < 2 || (q < 5) == (k < 5)); });
}
