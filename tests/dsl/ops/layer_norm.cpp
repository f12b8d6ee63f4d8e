#include "../evaluate.hpp"
#include "../text_of.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace heed;
using namespace heed::testing;

TEST_CASE("layer_norm has an epsilon, and a gain and a bias if they are given") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f16, {2, extent("n")});
                       tensor gain = g.weight("gain", f16, {extent("n")}),
                              bias = g.weight("bias", f16, {extent("n")});
                       g.output("all", layer_norm(x, gain, bias));
                       g.output("some", layer_norm(x, gain, 1e-6));
                       g.output("plain", layer_norm(x));
                     }};
  CHECK(text_of(k, k.nodes[3]) == "layer_norm epsilon 1e-05(%0, %1, %2) f16 (2,n)");
  CHECK(text_of(k, k.nodes[4]) == "layer_norm epsilon 1e-06(%0, %1) f16 (2,n)");
  CHECK(text_of(k, k.nodes[5]) == "layer_norm epsilon 1e-05(%0) f16 (2,n)");
}

TEST_CASE("rows of layer_norm have mean 0 and variance 1") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", layer_norm(g.input("x", f32, {3, 50}), 0)); }};
  const array y = evaluate(k, {{"x", mixed({3, 50}, 1)}}, {});
  for (int row = 0; row < 3; ++row) {
    double sum = 0, squares = 0;
    for (int i = 0; i < 50; ++i) {
      sum += y.at({row, i});
      squares += y.at({row, i}) * y.at({row, i});
    }
    CHECK(sum / 50 == Approx(0).margin(1e-14));
    CHECK(squares / 50 == Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("gain and bias have types of their own") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", bf16, {2, 3}), gain = g.weight("gain", f32, {3});
                       g.output("y", layer_norm(x, gain, g.weight("bias", f16, {3})));
                     }};
  CHECK(last_of(k) == "layer_norm epsilon 1e-05(%0, %1, %2) bf16 (2,3)");
}

TEST_CASE("layer_norm says what does not fit") {
  CHECK(fault([](graph &g) { layer_norm(g.input("x", i32, {2})); }) ==
        "layer_norm: the element type is i32, a floating type is needed");
  CHECK(fault([](graph &g) { layer_norm(g.scalar("x", f32)); }) ==
        "layer_norm: x is a number, at least one axis is needed");
  CHECK(fault([](graph &g) { layer_norm(g.input("x", f32, {2, 3}), g.weight("gain", f32, {2})); }) ==
        "layer_norm: the gain is (2), x is (2,3), a gain of shape (3) is needed");
  CHECK(fault([](graph &g) {
          tensor gain = g.weight("gain", f32, {3});
          layer_norm(g.input("x", f32, {2, 3}), gain, g.weight("bias", f64, {3}));
        }) == "layer_norm: x is f32, the bias is f64, one floating type is needed");
  CHECK(fault([](graph &g) { layer_norm(g.input("x", f32, {2}), -1); }) ==
        "layer_norm: epsilon is -1, a number of at least 0 is needed");
}
