#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr kernel k{"k", [](graph &g) { g.output("y", gelu(g.input("x", f32, {7}))); }};
} // namespace

TEST_CASE("gelu is x times the normal distribution") {
  array x({7});
  x.elements = {-6, -1, -0.25, 0, 0.5, 2, 9};
  const array y = evaluate(k, {{"x", x}}, {});
  for (int i = 0; i < 7; ++i)
    CHECK(y.at({i}) == Approx(x.at({i}) * std::erfc(-x.at({i}) / std::sqrt(2)) / 2).margin(1e-15));
  CHECK(fault([](graph &g) { gelu(g.input("x", i32, {2})); }) ==
        "gelu: the element type is i32, a floating type is needed");
}
