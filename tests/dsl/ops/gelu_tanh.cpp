#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr kernel k{"k", [](graph &g) {
                     tensor x = g.input("x", f32, {7});
                     g.output("y", gelu_tanh(x));
                     g.output("exact", gelu(x));
                   }};
} // namespace

TEST_CASE("gelu_tanh is the formula of its paper, near gelu") {
  array x({7});
  x.elements = {-6, -1, -0.25, 0, 0.5, 2, 9};
  const array y = evaluate(k, {{"x", x}}, {}), exact = evaluate(k, {{"x", x}}, {}, "exact");
  for (int i = 0; i < 7; ++i) {
    const double a = x.at({i}), inside = std::sqrt(2 / std::acos(-1)) * (a + 0.044715 * a * a * a);
    CHECK(y.at({i}) == Approx(a / 2 * (1 + std::tanh(inside))).margin(1e-14));
    CHECK(y.at({i}) == Approx(exact.at({i})).margin(1e-3));
  }
}
