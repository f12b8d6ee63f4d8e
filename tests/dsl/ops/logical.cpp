#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("logical operators take any type: nonzero is true") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, 1}), y = g.input("y", b8, {3});
                       g.output("both", x && y);
                       g.output("either", y || x);
                       g.output("none", !x);
                     }};
  CHECK(text_of(k, k.nodes[2]) == "logical_and(%0, %1) b8 (2,3)");
  CHECK(text_of(k, k.nodes[3]) == "logical_or(%1, %0) b8 (2,3)");
  CHECK(text_of(k, k.nodes[4]) == "logical_not(%0) b8 (2,1)");
  CHECK(fault([](graph &g) { g.input("x", b8, {2}) && g.input("y", b8, {3}); }) ==
        "operator &&: left is (2), right is (3), the extents 2 and 3 must be equal or one of them 1 (axes "
        "are matched "
        "from the right)");
}
