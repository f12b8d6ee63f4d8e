#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr tensor scores(graph &g) { return g.input("s", f32, {1, 2, 3, 4}); }
} // namespace

TEST_CASE("tensors of rank 0 stand beside scalars") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor n = g.scalar("n", i64), on = g.scalar("on", b8), t = g.scalar("t", f32);
                       tensor s = mask(scores(g), [&](index, index, index q, index k) {
                         condition past = k <= q + n && n != k;
                         return (on && past) || !past || on;
                       });
                       g.output("y", score_mod(s, [&](value s, index, index, index, index) {
                                  return min(s * t, t) - max(t / s, s);
                                }));
                     }};
  CHECK(text_of(k, k.nodes[4]) == "mask @15(%3, %0, %1) f32 (1,2,3,4)");
}

TEST_CASE("both orders read the tensor") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor n = g.scalar("n", i64);
                       g.output("y", mask(scores(g), [&](index, index, index q, index k) {
                                  return n - k < q % n || k == n || n == k;
                                }));
                     }};
  CHECK(program_of(k) == "@4 = element #1 integer\n"
                         "@5 = subtract(@4, @3) integer\n"
                         "@6 = element #1 integer\n"
                         "@7 = remainder(@2, @6) integer\n"
                         "@8 = less(@5, @7) truth\n"
                         "@9 = element #1 integer\n"
                         "@10 = equal(@3, @9) truth\n"
                         "@11 = or(@8, @10) truth\n"
                         "@12 = element #1 integer\n"
                         "@13 = equal(@12, @3) truth\n"
                         "@14 = or(@11, @13) truth\n");
}

TEST_CASE("a tensor that has axes needs indices") {
  CHECK(fault([](graph &g) {
          tensor lengths = g.input("lengths", i32, {1});
          mask(scores(g), [&](index, index, index, index k) { return k < lengths; });
        }) == "element: 0 indices for a tensor of shape (1), one for each axis is needed");
}

TEST_CASE("a fault names the line of the operator") {
  constexpr int line = __LINE__ + 3;
  constexpr auto block = [](graph &g) {
    tensor on = g.scalar("on", b8);
    mask(scores(g), [&](index, index, index, index k) { return k < on; });
  };
  CHECK(whole_fault(block) == std::string(__FILE__) + ":" + std::to_string(line) +
                                  ": operator <: an operand is a condition, a number is needed; write "
                                  "select(condition, a, b)");
}
