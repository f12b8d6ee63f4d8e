#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("dropouts have a probability, a seed and a site") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, 3}), p = g.scalar("p", f32),
                              seed = g.scalar("seed", i64);
                       g.output("y", dropout(dropout(x, p, seed), 0.1, seed));
                     }};
  CHECK(text_of(k) == "%0 = input x f32 (2,3)\n"
                      "%1 = scalar p f32 ()\n"
                      "%2 = scalar seed i64 ()\n"
                      "%3 = dropout site 0(%0, %1, %2) f32 (2,3)\n"
                      "%4 = constant 0.1 f32 ()\n"
                      "%5 = dropout site 1(%3, %4, %2) f32 (2,3)\n"
                      "y = %5\n");
}

TEST_CASE("dropout says what does not fit") {
  CHECK(fault([](graph &g) { dropout(g.input("x", f32, {2}), 1.5, g.scalar("seed", i64)); }) ==
        "dropout: p is 1.5, a probability from 0 to 1 is needed");
  CHECK(
      fault([](graph &g) { dropout(g.input("x", f32, {2}), g.scalar("p", i32), g.scalar("seed", i64)); }) ==
      "dropout: p is a tensor () of i32, a number or a scalar of f32 or f64 is needed; write g.scalar(name, "
      "f32)");
  CHECK(fault([](graph &g) { dropout(g.input("x", f32, {2}), 0.5, g.input("seed", i64, {1})); }) ==
        "dropout: the seed is a tensor (1) of i64, a scalar of i64 is needed; write g.scalar(name, i64)");
  CHECK(fault([](graph &g) { dropout(g.input("x", i32, {2}), 0.5, g.scalar("seed", i64)); }) ==
        "dropout: the element type is i32, a floating type is needed");
}
