#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("arithmetic of tensors and numbers") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {2, 3}), y = g.input("y", f32, {2, 3});
                       g.output("z", -(x + y) * 2 / (1.5f - x) - x);
                     }};
  CHECK(text_of(k) == "%0 = input x f32 (2,3)\n"
                      "%1 = input y f32 (2,3)\n"
                      "%2 = add(%0, %1) f32 (2,3)\n"
                      "%3 = negate(%2) f32 (2,3)\n"
                      "%4 = constant 2 f32 ()\n"
                      "%5 = multiply(%3, %4) f32 (2,3)\n"
                      "%6 = constant 1.5 f32 ()\n"
                      "%7 = subtract(%6, %0) f32 (2,3)\n"
                      "%8 = divide(%5, %7) f32 (2,3)\n"
                      "%9 = subtract(%8, %0) f32 (2,3)\n"
                      "z = %9\n");
}

TEST_CASE("shapes broadcast from the right") {
  constexpr kernel k{"k", [](graph &g) {
                       constexpr extent n{"n"};
                       tensor x = g.input("x", f32, {2, 1, n, 5}), y = g.input("y", f32, {3, 1, 5});
                       g.output("z", x + y);
                       g.output("w", y + x);
                       g.output("v", g.input("row", f32, {5}) * x);
                     }};
  CHECK(text_of(k, k.nodes[2]) == "add(%0, %1) f32 (2,3,n,5)");
  CHECK(text_of(k, k.nodes[3]) == "add(%1, %0) f32 (2,3,n,5)");
  CHECK(text_of(k, k.nodes[5]) == "multiply(%4, %0) f32 (2,1,n,5)");
}

TEST_CASE("a number takes the type of its tensor") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", g.input("x", i64, {2}) + 3); }};
  CHECK(text_of(k, k.nodes[1]) == "constant 3 i64 ()");
  CHECK(fault([](graph &g) { g.input("x", i32, {2}) * 0.5; }) ==
        "operator *: the number is 0.5 beside elements of type i32, one of that type is needed");
  CHECK(fault([](graph &g) { g.input("x", i32, {2}) + 2147483648; }) ==
        "operator +: the number is 2147483648 beside elements of type i32, one of that type is needed");
  CHECK(fault([](graph &g) { infinity - g.input("x", i32, {2}); }) ==
        "operator -: the number is infinity beside elements of type i32, one of that type is needed");
}

TEST_CASE("arithmetic of two floating types has the wider one") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor half = g.input("half", bf16, {2}), other = g.input("other", f16, {2}),
                              wide = g.input("wide", f32, {2});
                       g.output("a", half + wide);
                       g.output("b", half * other);
                       g.output("c", 2 * half);
                       g.output("d", wide < other);
                     }};
  CHECK(text_of(k, k.nodes[3]) == "convert(%0) f32 (2)");
  CHECK(text_of(k, k.nodes[4]) == "add(%3, %2) f32 (2)");
  CHECK(text_of(k, k.nodes[7]) == "multiply(%5, %6) f32 (2)");
  CHECK(text_of(k, k.nodes[9]) == "multiply(%8, %0) bf16 (2)");
  CHECK(last_of(k) == "less(%2, %10) b8 (2)");
}

TEST_CASE("arithmetic refuses extents and types that differ") {
  CHECK(fault([](graph &g) { g.input("x", f32, {2, 3}) + g.input("y", f32, {2, 4}); }) ==
        "operator +: left is (2,3), right is (2,4), the extents 3 and 4 must be equal or one of them 1 (axes "
        "are "
        "matched from the right)");
  CHECK(
      fault([](graph &g) { g.input("y", f32, {extent("m")}) - g.input("x", f32, {2, extent("n")}); }) ==
      "operator -: left is (m), right is (2,n), the extents m and n must be equal or one of them 1 (axes are "
      "matched from the right)");
  CHECK(fault([](graph &g) { g.input("x", f32, {2}) * g.input("y", f64, {2}); }) ==
        "operator *: left is f32, right is f64, one element type is needed");
  CHECK(fault([](graph &g) { g.input("x", i32, {2}) / g.input("y", i32, {2}); }) ==
        "operator /: the element type is i32, a floating type is needed");
  CHECK(fault([](graph &g) { -g.input("x", b8, {2}); }) ==
        "operator -: the element type is b8, a number type is needed; write where(condition, a, b)");
}
