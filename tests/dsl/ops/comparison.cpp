#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("comparisons give b8 and broadcast") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, 1}), y = g.input("y", f32, {3});
                       g.output("lt", x < y);
                       g.output("le", x <= y);
                       g.output("gt", x > y);
                       g.output("ge", x >= y);
                       g.output("eq", x == y);
                       g.output("ne", 0 != x);
                     }};
  CHECK(text_of(k, k.nodes[2]) == "less(%0, %1) b8 (2,3)");
  CHECK(text_of(k, k.nodes[3]) == "less_equal(%0, %1) b8 (2,3)");
  CHECK(text_of(k, k.nodes[4]) == "greater(%0, %1) b8 (2,3)");
  CHECK(text_of(k, k.nodes[5]) == "greater_equal(%0, %1) b8 (2,3)");
  CHECK(text_of(k, k.nodes[6]) == "equal(%0, %1) b8 (2,3)");
  CHECK(text_of(k, k.nodes[7]) == "constant 0 f32 ()");
  CHECK(text_of(k, k.nodes[8]) == "not_equal(%7, %0) b8 (2,1)");
}

TEST_CASE("comparisons need numbers of one type") {
  CHECK(fault([](graph &g) { g.input("x", b8, {2}) < g.input("y", b8, {2}); }) ==
        "operator <: the element type is b8, a number type is needed; write where(condition, a, b)");
  CHECK(fault([](graph &g) { g.input("x", f32, {2}) == g.input("y", i32, {2}); }) ==
        "operator ==: left is f32, right is i32, one element type is needed");
}
