#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;

TEST_CASE("rms_norm has an epsilon, and a gain if it is given") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", bf16, {2, extent("n")}),
                              gain = g.weight("gain", bf16, {extent("n")});
                       g.output("y", rms_norm(x, gain));
                       g.output("z", rms_norm(x, 0.5));
                     }};
  CHECK(text_of(k, k.nodes[2]) == "rms_norm epsilon 1e-06(%0, %1) bf16 (2,n)");
  CHECK(text_of(k, k.nodes[3]) == "rms_norm epsilon 0.5(%0) bf16 (2,n)");
}

TEST_CASE("rms_norm divides by the root of the mean square") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("y", rms_norm(g.input("x", f32, {1, 2}), g.weight("gain", f32, {2}), 0.25));
                     }};
  array x({1, 2}), gain({2});
  x.elements = {1, 7};
  gain.elements = {2, 3};
  const array y = evaluate(k, {{"x", x}, {"gain", gain}}, {});
  CHECK(y.at({0, 0}) == Approx(2 / std::sqrt(25.25)).epsilon(1e-15));
  CHECK(y.at({0, 1}) == Approx(21 / std::sqrt(25.25)).epsilon(1e-15));
}

TEST_CASE("rms_norm says what does not fit") {
  CHECK(fault([](graph &g) { rms_norm(g.input("x", b8, {2})); }) ==
        "rms_norm: the element type is b8, a floating type is needed");
  CHECK(fault([](graph &g) { rms_norm(g.input("x", f32, {2, 3}), g.weight("gain", f32, {2, 3})); }) ==
        "rms_norm: the gain is (2,3), x is (2,3), a gain of shape (3) is needed");
}
