#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("merge_heads is the inverse of split_heads, also of symbols") {
  constexpr kernel numbers{"numbers", [](graph &g) {
                             g.output("y", merge_heads(g.input("x", f32, {extent("b"), 3, extent("s"), 4})));
                           }};
  CHECK(last_of(numbers) == "merge_heads(%0) f32 (b,s,12)");

  constexpr kernel inverse{"inverse", [](graph &g) {
                             tensor x = g.input("x", f32, {1, 5, extent("d")});
                             g.output("y", x + merge_heads(split_heads(x, 8)));
                           }};
  CHECK(last_of(inverse) == "add(%0, %2) f32 (1,5,d)");

  CHECK(fault([](graph &g) { merge_heads(g.input("x", f32, {3, 5, 4})); }) ==
        "merge_heads: x is (3,5,4), four axes (batch, heads, tokens, depth) are needed");
}
