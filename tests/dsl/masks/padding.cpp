#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("padding hides keys from the length on") {
  constexpr auto &by_entry = masked<[](graph &g) { return padding(g.input("lengths", i32, {batch})); }>;
  constexpr auto &by_scalar = masked<[](graph &g) { return padding(g.scalar("length", i64)); }>;
  check_mask(by_entry, {{"lengths", numbers({3, 0, 5})}}, {3, 2, 2, 5},
             [](int b, int, int, int k) { return b == 0 ? k < 3 : b == 2; });
  check_mask(by_scalar, {{"length", number(2)}}, {1, 1, 2, 4}, [](int, int, int, int k) { return k < 2; });
}
