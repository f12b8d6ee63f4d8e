#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("softmax keeps shape and type") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", softmax(g.input("x", f16, {2, extent("n")}))); }};
  CHECK(last_of(k) == "softmax(%0) f16 (2,n)");
  CHECK(fault([](graph &g) { softmax(g.input("x", i32, {2})); }) ==
        "softmax: the element type is i32, a floating type is needed");
}
