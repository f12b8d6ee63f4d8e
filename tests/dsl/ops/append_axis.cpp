#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("append_axis adds an extent of 1 at the right") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", append_axis(g.input("x", f32, {2, extent("n")}))); }};
  CHECK(last_of(k) == "append_axis(%0) f32 (2,n,1)");
  constexpr kernel number{"number", [](graph &g) { g.output("y", append_axis(g.scalar("x", i64))); }};
  CHECK(last_of(number) == "append_axis(%0) i64 (1)");
  CHECK(fault([](graph &g) { append_axis(g.input("x", f32, {1, 2, 3, 4, 5, 6})); }) ==
        "append_axis: x is (1,2,3,4,5,6), at most 5 axes are needed");
}
