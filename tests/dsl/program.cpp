#include "text_of.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::testing;

namespace {
constexpr tensor scores(graph &g) { return g.input("s", f32, {1, 2, 3, 4}); }
} // namespace

TEST_CASE("operators of scalars") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("y", mask(scores(g), [](index b, index h, index q, index k) {
                                  index row = (q + 1) * 2 - h;
                                  return (row / 3 == k % 3 && -b != 0) || !(k < q) || (k > 2 && q >= h);
                                }));
                     }};
  CHECK(program_of(k) == "@4 = number 1 integer\n"
                         "@5 = add(@2, @4) integer\n"
                         "@6 = number 2 integer\n"
                         "@7 = multiply(@5, @6) integer\n"
                         "@8 = subtract(@7, @1) integer\n"
                         "@9 = number 3 integer\n"
                         "@10 = divide(@8, @9) integer\n"
                         "@11 = number 3 integer\n"
                         "@12 = remainder(@3, @11) integer\n"
                         "@13 = equal(@10, @12) truth\n"
                         "@14 = negate(@0) integer\n"
                         "@15 = number 0 integer\n"
                         "@16 = not_equal(@14, @15) truth\n"
                         "@17 = and(@13, @16) truth\n"
                         "@18 = less(@3, @2) truth\n"
                         "@19 = not(@18) truth\n"
                         "@20 = or(@17, @19) truth\n"
                         "@21 = number 2 integer\n"
                         "@22 = greater(@3, @21) truth\n"
                         "@23 = greater_equal(@2, @1) truth\n"
                         "@24 = and(@22, @23) truth\n"
                         "@25 = or(@20, @24) truth\n");
}

TEST_CASE("functions of scalars") {
  constexpr kernel k{"k", [](graph &g) {
                       g.output("y", score_mod(scores(g), [](value s, index, index, index q, index k) {
                                  value far = abs(k - q);
                                  value bounded = tanh(s / 20) * 20.0;
                                  return select(far <= 2, bounded, -infinity) + min(exp(s), 1) +
                                         max(log(s), sin(s)) * cos(s) + sigmoid(s);
                                }));
                     }};
  CHECK(program_of(k) == "@4 = score real\n"
                         "@5 = subtract(@3, @2) integer\n"
                         "@6 = absolute(@5) integer\n"
                         "@7 = number 20 integer\n"
                         "@8 = divide(@4, @7) real\n"
                         "@9 = tanh(@8) real\n"
                         "@10 = number 20 real\n"
                         "@11 = multiply(@9, @10) real\n"
                         "@12 = number 2 integer\n"
                         "@13 = less_equal(@6, @12) truth\n"
                         "@14 = number -inf real\n"
                         "@15 = select(@13, @11, @14) real\n"
                         "@16 = exp(@4) real\n"
                         "@17 = number 1 integer\n"
                         "@18 = minimum(@16, @17) real\n"
                         "@19 = add(@15, @18) real\n"
                         "@20 = log(@4) real\n"
                         "@21 = sin(@4) real\n"
                         "@22 = maximum(@20, @21) real\n"
                         "@23 = cos(@4) real\n"
                         "@24 = multiply(@22, @23) real\n"
                         "@25 = add(@19, @24) real\n"
                         "@26 = logistic(@4) real\n"
                         "@27 = add(@25, @26) real\n");
}

TEST_CASE("scalars of the wrong kind are refused") {
  CHECK(fault([](graph &g) {
          mask(scores(g), [](index, index, index q, index k) { return (k <= q) + 1; });
        }) == "operator +: an operand is a condition, a number is needed; write select(condition, a, b)");
  CHECK(fault([](graph &g) { mask(scores(g), [](index, index, index q, index k) { return k && q; }); }) ==
        "operator &&: an operand is an integer, a condition is needed; compare it with a number");
  CHECK(fault([](graph &g) { mask(scores(g), [](index, index, index q, index) { return q % 2.0 == 0; }); }) ==
        "operator %: an operand is a real number, an integer is needed");
  CHECK(fault([](graph &g) {
          score_mod(scores(g), [](value s, index, index, index q, index k) { return select(k - q, s, 0.0); });
        }) == "select: the first operand is an integer, a condition is needed; compare it with a number");
  CHECK(fault([](graph &g) {
          score_mod(scores(g),
                    [](value s, index, index, index q, index k) { return select(k < q, s, k < q); });
        }) == "select: one choice is a condition and the other a number, both must be of one kind");
}

TEST_CASE("a scalar needs an index or a score in it") {
  CHECK(fault([](graph &g) {
          mask(scores(g), [](index, index, index, index k) { return k < extent(4) - extent(1); });
        }) == "operator <: an operand is made of extents and numbers alone, an index or a score is needed in "
              "it; start "
              "from the index, as in q + keys - queries");
}
