#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;

TEST_CASE("silu is x times its sigmoid") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", silu(g.input("x", f32, {3}))); }};
  array x({3});
  x.elements = {-2, 0, 3};
  const array y = evaluate(k, {{"x", x}}, {});
  for (int i = 0; i < 3; ++i)
    CHECK(y.at({i}) == Approx(x.at({i}) / (1 + std::exp(-x.at({i})))).epsilon(1e-15));
  CHECK(fault([](graph &g) { silu(g.input("x", i64, {2})); }) ==
        "silu: the element type is i64, a floating type is needed");
}
