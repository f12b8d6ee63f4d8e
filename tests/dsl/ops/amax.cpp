#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("amax keeps the type") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", amax(g.input("x", i32, {2, 3}))); }};
  CHECK(last_of(k) == "amax(%0) i32 (2)");
  array x({2, 3});
  x.elements = {1, 4, 2, -3, -5, -3};
  CHECK(evaluate(k, {{"x", x}}, {}).elements == std::vector<double>{4, -3});
  CHECK(fault([](graph &g) { amax(g.scalar("x", f32)); }) ==
        "amax: x is a number, at least one axis is needed");
}
