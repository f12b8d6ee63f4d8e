#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

TEST_CASE("log_sum_exp takes the last axis away") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor s = g.input("s", f64, {1, 2, extent("q"), 4});
                       g.output("y", log_sum_exp(s));
                       g.output("z", log_sum_exp(s, {.sink = g.weight("sink", f64, {2})}));
                       g.output("whole", log_sum_exp(g.input("row", f32, {4})));
                     }};
  CHECK(text_of(k, k.nodes[1]) == "log_sum_exp(%0) f64 (1,2,q)");
  CHECK(text_of(k, k.nodes[3]) == "log_sum_exp(%0, %2) f64 (1,2,q)");
  CHECK(text_of(k, k.nodes[5]) == "log_sum_exp(%4) f32 ()");
}

TEST_CASE("log_sum_exp of narrow elements is f32") {
  constexpr kernel k{"k", [](graph &g) { g.output("y", log_sum_exp(g.input("x", bf16, {3, 4}))); }};
  CHECK(last_of(k) == "log_sum_exp(%0) f32 (3)");
}

TEST_CASE("log_sum_exp says what does not fit") {
  CHECK(fault([](graph &g) { log_sum_exp(g.input("x", i32, {2})); }) ==
        "log_sum_exp: the element type is i32, a floating type is needed");
  CHECK(fault([](graph &g) {
          log_sum_exp(g.input("s", f32, {1, 2, 3, 4}), {.sink = g.weight("sink", f32, {2, 1})});
        }) == "log_sum_exp: the sink is (2,1), x is (1,2,3,4), a sink of shape (2) is needed, one number for "
              "each head");
}
