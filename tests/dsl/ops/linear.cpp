#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("linear maps the last axis by a weight (out, in)") {
  constexpr kernel plain{
      "plain", [](graph &g) {
        g.output("y", linear(g.input("x", f32, {extent("n"), 3, 4}), g.weight("w", f32, {5, 4})));
      }};
  CHECK(text_of(plain) == "%0 = input x f32 (n,3,4)\n"
                          "%1 = weight w f32 (5,4)\n"
                          "%2 = linear(%0, %1) f32 (n,3,5)\n"
                          "y = %2\n");

  constexpr kernel biased{
      "biased", [](graph &g) {
        g.output("y", linear(g.input("x", f64, {4}), g.weight("w", f64, {5, 4}), g.weight("b", f64, {5})));
      }};
  CHECK(last_of(biased) == "linear(%0, %1, %2) f64 (5)");
}

TEST_CASE("linear of mixed types has the type of x") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", bf16, {3, 4}), w = g.weight("w", f16, {5, 4});
                       g.output("y", linear(x, w, g.weight("b", f32, {5})));
                     }};
  CHECK(last_of(k) == "linear(%0, %1, %2) bf16 (3,5)");
}

TEST_CASE("linear refuses what does not fit") {
  CHECK(fault([](graph &g) { linear(g.input("x", f32, {2, 4}), g.weight("w", f32, {4, 5})); }) ==
        "linear: x is (2,4), weight is (4,5), the last axis of x must equal the last of weight; weights are "
        "(out, in), did you mean transpose(weight)?");
  CHECK(fault([](graph &g) { linear(g.input("x", f32, {2, 4}), g.weight("w", f32, {6, 5})); }) ==
        "linear: x is (2,4), weight is (6,5), the last axis of x must equal the last of weight; weights are "
        "(out, in)");
  CHECK(fault([](graph &g) { linear(g.input("x", f32, {2, 4}), g.weight("w", f32, {4})); }) ==
        "linear: x is (2,4), weight is (4), a weight of shape (out, in) is needed");
  CHECK(fault([](graph &g) { linear(g.input("x", f32, {2, 4}), g.weight("w", f64, {5, 4})); }) ==
        "linear: x is f32, weight is f64, one floating type is needed");
  CHECK(fault([](graph &g) { linear(g.input("x", i32, {2, 4}), g.weight("w", i32, {5, 4})); }) ==
        "linear: x is i32, weight is i32, one floating type is needed");
  CHECK(fault([](graph &g) {
          linear(g.input("x", f32, {2, 4}), g.weight("w", f32, {5, 4}), g.weight("b", f32, {4}));
        }) == "linear: bias is (4), weight is (5,4), a bias of shape (5) is needed");
  CHECK(fault([](graph &g) {
          linear(g.input("x", f32, {2, 4}), g.weight("w", f32, {5, 4}), g.weight("b", f64, {5}));
        }) == "linear: x is f32, bias is f64, one floating type is needed");
}
