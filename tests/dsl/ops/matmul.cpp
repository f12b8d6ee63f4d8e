#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("matmul multiplies the last two axes and broadcasts the others") {
  constexpr kernel same{"same", [](graph &g) {
                          g.output("y", matmul(g.input("a", f32, {extent("b"), 2, 3, 4}),
                                               g.input("c", f32, {extent("b"), 2, 4, 5})));
                        }};
  CHECK(last_of(same) == "matmul(%0, %1) f32 (b,2,3,5)");

  constexpr kernel repeated{
      "repeated",
      [](graph &g) { g.output("y", matmul(g.input("a", f32, {3, 4}), g.input("c", f32, {7, 1, 4, 5}))); }};
  CHECK(last_of(repeated) == "matmul(%0, %1) f32 (7,1,3,5)");

  constexpr kernel both{"both", [](graph &g) {
                          g.output("y",
                                   matmul(g.input("a", f32, {7, 1, 3, 4}), g.input("c", f32, {1, 6, 4, 5})));
                        }};
  CHECK(last_of(both) == "matmul(%0, %1) f32 (7,6,3,5)");
}

TEST_CASE("matmul of mixed types has the type of the left operand") {
  constexpr kernel k{
      "k", [](graph &g) { g.output("y", matmul(g.input("a", f16, {2, 3}), g.input("b", f32, {3, 4}))); }};
  CHECK(last_of(k) == "matmul(%0, %1) f16 (2,4)");
}

TEST_CASE("matmul refuses what does not fit and guesses what was meant") {
  CHECK(fault([](graph &g) { matmul(g.input("a", f32, {2, 3}), g.input("c", f32, {4, 3})); }) ==
        "matmul: left is (2,3), right is (4,3), the last axis of left must equal the last but one of right; "
        "did you "
        "mean transpose(right)?");
  CHECK(fault([](graph &g) { matmul(g.input("a", f32, {3, 2}), g.input("c", f32, {3, 4})); }) ==
        "matmul: left is (3,2), right is (3,4), the last axis of left must equal the last but one of right; "
        "did you "
        "mean transpose(left)?");
  CHECK(fault([](graph &g) { matmul(g.input("a", f32, {2, 3}), g.input("c", f32, {4, 5})); }) ==
        "matmul: left is (2,3), right is (4,5), the last axis of left must equal the last but one of right");
  CHECK(fault([](graph &g) { matmul(g.input("a", f32, {3}), g.input("c", f32, {3, 4})); }) ==
        "matmul: left is (3), right is (3,4), at least two axes are needed on both sides");
  CHECK(fault([](graph &g) { matmul(g.input("a", f32, {2, 3}), g.input("c", f64, {3, 4})); }) ==
        "matmul: left is f32, right is f64, one floating type is needed");
  CHECK(fault([](graph &g) { matmul(g.input("a", f32, {5, 2, 3}), g.input("c", f32, {6, 3, 4})); }) ==
        "matmul (leading axes): left is (5), right is (6), the extents 5 and 6 must be equal or one of them "
        "1 (axes "
        "are matched from the right)");
}
