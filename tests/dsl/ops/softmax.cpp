#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("softmax keeps shape and type") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", softmax(g.input("x", f16, {2, extent("n")}))); }};
  CHECK(last_of(k) == "softmax(%0) f16 (2,n)");
  CHECK(fault([](graph &g) { softmax(g.input("x", i32, {2})); }) ==
        "softmax: the element type is i32, a floating type is needed");
  CHECK(fault([](graph &g) { softmax(g.scalar("x", f32)); }) ==
        "softmax: x is a number, at least one axis is needed");
}

TEST_CASE("softmax takes a sink, and NaN for empty rows") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor s = g.input("s", f32, {1, 2, 3, 4}), sink = g.weight("sink", f32, {2});
                       g.output("y", softmax(s, {.sink = sink}));
                       g.output("z", softmax(s, {.nan_for_empty = true}));
                     }};
  CHECK(text_of(k, k.nodes[2]) == "softmax(%0, %1) f32 (1,2,3,4)");
  CHECK(text_of(k, k.nodes[3]) == "softmax nan(%0) f32 (1,2,3,4)");
}

TEST_CASE("a sink has a type of its own") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor s = g.input("s", bf16, {1, 2, 3, 4});
                       g.output("y", softmax(s, {.sink = g.weight("sink", f32, {2})}));
                     }};
  CHECK(last_of(k) == "softmax(%0, %1) bf16 (1,2,3,4)");
}

TEST_CASE("a sink fits the scores") {
  CHECK(fault([](graph &g) { softmax(g.input("s", f32, {3, 4}), {.sink = g.weight("sink", f32, {3})}); }) ==
        "softmax: x is (3,4), (batch, heads, queries, keys) is needed with a sink");
  CHECK(fault([](graph &g) {
          softmax(g.input("s", f32, {1, 2, 3, 4}), {.sink = g.weight("sink", f32, {3})});
        }) ==
        "softmax: the sink is (3), x is (1,2,3,4), a sink of shape (2) is needed, one number for each head");
  CHECK(fault([](graph &g) {
          softmax(g.input("s", f32, {1, 2, 3, 4}), {.sink = g.weight("sink", f64, {2})});
        }) == "softmax: x is f32, the sink is f64, one floating type is needed");
}
