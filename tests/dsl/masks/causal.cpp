#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("causal shows the keys up to the query") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", mask(g.input("s", f32, {1, 1, 3, 3}), causal())); }};
  CHECK(program_of(k) == "@4 = less_equal(@3, @2) truth\n");
}
