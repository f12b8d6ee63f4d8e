#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("drop_axis takes an extent of 1 away") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, 1, extent("n")});
                       g.output("y", drop_axis(x, 1));
                       g.output("z", drop_axis(x, -2));
                       g.output("number", drop_axis(g.input("one", i32, {1}), 0));
                     }};
  CHECK(text_of(k, k.nodes[1]) == "drop_axis axis 1(%0) f32 (2,n)");
  CHECK(text_of(k, k.nodes[2]) == "drop_axis axis 1(%0) f32 (2,n)");
  CHECK(last_of(k) == "drop_axis axis 0(%3) i32 ()");
}

TEST_CASE("drop_axis says what does not fit") {
  CHECK(fault([](graph &g) { drop_axis(g.input("x", f32, {2, 3}), 1); }) ==
        "drop_axis: axis 1 of x (2,3) is 3, an extent of 1 is needed; write select(x, axis, i) for one of "
        "several");
  CHECK(fault([](graph &g) { drop_axis(g.input("x", f32, {2, 3}), 2); }) ==
        "drop_axis: the axis is 2, x is (2,3), one of its axes is needed");
}
