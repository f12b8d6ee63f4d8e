#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("split_heads makes an axis of heads") {
  constexpr kernel numbers{"numbers", [](graph &g) {
                             g.output("y", split_heads(g.input("x", f32, {extent("b"), extent("s"), 12}), 3));
                           }};
  CHECK(last_of(numbers) == "split_heads(%0) f32 (b,3,s,4)");

  constexpr kernel width{
      "width", [](graph &g) { g.output("y", split_heads(g.input("x", f32, {1, 5, extent("d")}), 8)); }};
  CHECK(last_of(width) == "split_heads(%0) f32 (1,8,5,1/8*d)");

  constexpr kernel heads{"heads", [](graph &g) {
                           constexpr extent h{"h"};
                           tensor mask = g.input("m", b8, {h});
                           tensor y = split_heads(g.input("x", f32, {1, 5, h * 16}), h);
                           g.output("y", where(mask.size(0) == h ? g.input("c", b8, {1}) : mask, y, y));
                         }};
  CHECK(text_of(heads, heads.nodes[2]) == "split_heads(%1) f32 (1,h,5,16)");
}

TEST_CASE("split_heads refuses a width that does not divide") {
  CHECK(fault([](graph &g) { split_heads(g.input("x", f32, {1, 5, 10}), 3); }) ==
        "split_heads: x is (1,5,10), 10 does not divide by 3 heads, a multiple is needed");
  CHECK(fault([](graph &g) { split_heads(g.input("x", f32, {1, 5, 10}), 0); }) ==
        "split_heads: an extent is 0, at least 1 is needed");
  CHECK(fault([](graph &g) { split_heads(g.input("x", f32, {5, 10}), 2); }) ==
        "split_heads: x is (5,10), three axes (batch, tokens, width) are needed");
}
