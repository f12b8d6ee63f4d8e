#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr extent heads{"heads"};
} // namespace

TEST_CASE("repeat_heads multiplies the heads") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("x", repeat_heads(g.input("a", f32, {1, 2, 5, 8}), 4));
                       g.output("y", repeat_heads(g.input("b", f32, {1, heads, 5, 8}), 4));
                       g.output("z", repeat_heads(g.input("c", f32, {1, 1, 5, 8}), heads));
                     }};
  CHECK(text_of(k, k.nodes[1]) == "repeat_heads(%0) f32 (1,8,5,8)");
  CHECK(text_of(k, k.nodes[3]) == "repeat_heads(%2) f32 (1,4*heads,5,8)");
  CHECK(text_of(k, k.nodes[5]) == "repeat_heads(%4) f32 (1,heads,5,8)");
}

TEST_CASE("repeat_heads says what does not fit") {
  CHECK(fault([](graph &g) { repeat_heads(g.input("x", f32, {2, 5, 8}), 2); }) ==
        "repeat_heads: x is (2,5,8), four axes (batch, heads, tokens, depth) are needed");
  CHECK(fault([](graph &g) { repeat_heads(g.input("x", f32, {1, 2, 5, 8}), 0); }) ==
        "repeat_heads: an extent is 0, at least 1 is needed");
  CHECK(fault([](graph &g) { repeat_heads(g.input("x", f32, {1, 2, 5, 8}), extent(3) / extent(2)); }) ==
        "repeat_heads: an extent is 3/2, a whole number is needed");
}
