#include "../text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr tensor scores(graph &g) { return g.input("s", f32, {1, 2, 3, 4}); }
} // namespace

TEST_CASE("score_mod keeps a program over the score and the indices") {
  constexpr kernel k{"k", [](graph &g) {
                       tensor slope = g.weight("slope", f32, {2});
                       g.output("y", score_mod(scores(g), [&](value s, index, index h, index q, index k) {
                                  return s + slope[h] * (k - q);
                                }));
                     }};
  CHECK(text_of(k, k.nodes[2]) == "score_mod @8(%1, %0) f32 (1,2,3,4)");
  CHECK(program_of(k) == "@4 = score real\n"
                         "@5 = element #1(@1) real\n"
                         "@6 = subtract(@3, @2) integer\n"
                         "@7 = multiply(@5, @6) real\n"
                         "@8 = add(@4, @7) real\n");
}

TEST_CASE("score_mod returns a real number") {
  CHECK(fault([](graph &g) {
          score_mod(scores(g), [](value, index, index, index q, index k) { return k - q; });
        }) == "score_mod: the function returns an integer, a real number is needed");
  CHECK(fault([](graph &g) {
          score_mod(scores(g), [](value s, index, index, index, index) { return s > 0; });
        }) == "score_mod: the function returns a condition, a real number is needed");
  CHECK(fault([](graph &g) {
          score_mod(g.input("s", f32, {3}), [](value s, index, index, index, index) { return s; });
        }) == "score_mod: scores are (3), four axes (batch, heads, queries, keys) are needed");
  CHECK(fault([](graph &g) { score_mod(scores(g), causal()); }) ==
        "score_mod: the second argument is no score function, one of (value s, index b, index h, index q, "
        "index k) "
        "that returns a number is needed");
}
