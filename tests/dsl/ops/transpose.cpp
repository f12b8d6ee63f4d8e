#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("transpose exchanges the last two axes") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", transpose(g.input("x", f32, {2, extent("n"), 4}))); }};
  CHECK(last_of(k) == "transpose(%0) f32 (2,4,n)");
  CHECK(fault([](graph &g) { transpose(g.input("x", f32, {4})); }) ==
        "transpose: x is (4), at least two axes are needed");
}
