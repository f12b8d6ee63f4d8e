#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("prefix_lm is bidirectional in the prefix") {
  constexpr auto &by_number = masked<[](graph &) { return prefix_lm(3); }>;
  constexpr auto &by_entry = masked<[](graph &g) { return prefix_lm(g.input("prefix", i32, {batch})); }>;
  check_mask(by_number, {}, {1, 1, 5, 5}, [](int, int, int q, int k) { return k < 3 || k <= q; });
  check_mask(by_entry, {{"prefix", numbers({0, 4})}}, {2, 1, 5, 5},
             [](int b, int, int q, int k) { return k <= q || (b == 1 && k < 4); });
  CHECK(
      fault([](graph &g) { prefix_lm(g.input("prefix", i32, {batch, 1})); }) ==
      "prefix_lm: prefix: it is a tensor (batch,1) of i32, a number, or integers of shape () or (batch), are "
      "needed");
}
