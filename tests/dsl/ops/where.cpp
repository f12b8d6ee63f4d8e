#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("where chooses by a condition of any type") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor c = g.input("c", f32, {2, 1, 1}), x = g.input("x", f32, {3, 1}),
                              y = g.input("y", f32, {4});
                       g.output("tensors", where(c, x, y));
                       g.output("filled", where(c, x, -infinity));
                       g.output("numbers", where(c, 0, 1));
                     }};
  CHECK(text_of(k, k.nodes[3]) == "where(%0, %1, %2) f32 (2,3,4)");
  CHECK(text_of(k, k.nodes[4]) == "constant -inf f32 ()");
  CHECK(text_of(k, k.nodes[5]) == "where(%0, %1, %4) f32 (2,3,1)");
  CHECK(text_of(k, k.nodes[8]) == "where(%0, %6, %7) f32 (2,1,1)");
}

TEST_CASE("choices of two types have the wider one") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor c = g.input("c", b8, {2}), x = g.input("x", bf16, {2}),
                              other = g.input("other", f16, {2});
                       g.output("y", where(c, x, other));
                     }};
  CHECK(text_of(k, k.nodes[3]) == "convert(%1) f32 (2)");
  CHECK(text_of(k, k.nodes[4]) == "convert(%2) f32 (2)");
  CHECK(last_of(k) == "where(%0, %3, %4) f32 (2)");
}

TEST_CASE("where refuses extents and types that differ") {
  CHECK(fault([](graph &g) { where(g.input("c", b8, {2}), g.input("x", f32, {3}), 0); }) ==
        "where: left is (2), right is (3), the extents 2 and 3 must be equal or one of them 1 (axes are "
        "matched from "
        "the right)");
  CHECK(fault([](graph &g) {
          where(g.input("c", b8, {2}), g.input("x", f32, {2}), g.input("y", f64, {2}));
        }) == "where: the choices are f32 and f64, one element type is needed");
  CHECK(fault([](graph &g) { where(g.input("c", b8, {2}), g.input("x", i32, {2}), 0.5); }) ==
        "where: the number is 0.5 beside elements of type i32, one of that type is needed");
}
