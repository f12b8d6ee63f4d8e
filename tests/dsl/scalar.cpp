#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr tensor scores(graph &g) { return g.input("s", f32, {1, 2, 3, 4}); }
} // namespace

TEST_CASE("named scalars hold what fits their name") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("y", score_mod(scores(g), [](value s, index, index, index q, index k) {
                                  index distance = q - k;
                                  condition near = distance < 2;
                                  value twice = distance * 2;
                                  scalar any = select(near, s, twice);
                                  return any;
                                }));
                     }};
  CHECK(text_of(k, k.instructions[k.instruction_count - 1]) == "select(@7, @4, @9) real");
}

TEST_CASE("named scalars refuse what does not fit") {
  CHECK(fault([](graph &g) {
          mask(scores(g), [](index, index, index q, index k) {
            index half = q * 0.5;
            return k <= half;
          });
        }) == "index: the scalar is a real number, an integer is needed");
  CHECK(fault([](graph &g) {
          mask(scores(g), [](index, index, index q, index k) {
            value near = k < q;
            return near > 0;
          });
        }) == "value: the scalar is a condition, a number is needed; write select(condition, a, b)");
  CHECK(fault([](graph &g) {
          mask(scores(g), [](index, index, index q, index k) -> condition { return q - k; });
        }) == "condition: the scalar is an integer, a condition is needed");
}
