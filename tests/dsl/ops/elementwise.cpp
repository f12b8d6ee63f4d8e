#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("functions of every element") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", bf16, {2, 3});
                       g.output("y", abs(sigmoid(erf(tanh(log(exp(sqrt(x))))))));
                     }};
  CHECK(text_of(k) == "%0 = input x bf16 (2,3)\n"
                      "%1 = square_root(%0) bf16 (2,3)\n"
                      "%2 = exponential(%1) bf16 (2,3)\n"
                      "%3 = logarithm(%2) bf16 (2,3)\n"
                      "%4 = hyperbolic_tangent(%3) bf16 (2,3)\n"
                      "%5 = error_function(%4) bf16 (2,3)\n"
                      "%6 = logistic(%5) bf16 (2,3)\n"
                      "%7 = absolute(%6) bf16 (2,3)\n"
                      "y = %7\n");
}

TEST_CASE("min and max take tensors and numbers") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", i32, {2, 1}), y = g.input("y", i32, {3});
                       g.output("least", min(x, y));
                       g.output("relu", max(0, x));
                     }};
  CHECK(text_of(k, k.nodes[2]) == "minimum(%0, %1) i32 (2,3)");
  CHECK(text_of(k, k.nodes[4]) == "maximum(%3, %0) i32 (2,1)");
}

TEST_CASE("functions of floats refuse other types") {
  CHECK(fault([](graph &g) { exp(g.input("x", i32, {2})); }) ==
        "exp: the element type is i32, a floating type is needed");
  CHECK(fault([](graph &g) { abs(g.input("x", b8, {2})); }) ==
        "abs: the element type is b8, a number type is needed; write where(condition, a, b)");
  CHECK(fault([](graph &g) { max(g.input("x", f32, {2}), g.input("y", f64, {2})); }) ==
        "max: left is f32, right is f64, one element type is needed");
}
