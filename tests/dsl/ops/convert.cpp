#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("convert changes the type of elements") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f32, {extent("n"), 4});
                       g.output("narrow", convert(x, bf16));
                       g.output("wide", convert(x, f64));
                       g.output("truth", convert(g.input("c", b8, {2}), f16));
                     }};
  CHECK(text_of(k, k.nodes[1]) == "convert(%0) bf16 (n,4)");
  CHECK(text_of(k, k.nodes[2]) == "convert(%0) f64 (n,4)");
  CHECK(last_of(k) == "convert(%3) f16 (2)");
}

TEST_CASE("a tensor of the type stays") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor x = g.input("x", f16, {4});
                       g.output("y", convert(x, f16) + convert(x, f16));
                     }};
  CHECK(last_of(k) == "add(%0, %0) f16 (4)");
}

TEST_CASE("convert refuses types that are not floating") {
  CHECK(fault([](graph &g) { convert(g.input("x", f32, {2}), i32); }) ==
        "convert: x is f32, the type is i32, a floating type is needed");
}
