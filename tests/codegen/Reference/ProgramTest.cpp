// Mask and score programs, against values worked out by hand. With zero queries every visible score is 0, so
// the output is the mean of the visible values.
#include "Support.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;

namespace {

constexpr extent queries{"queries"}, keys{"keys"};

constexpr tensor inputScores(graph &g) { return g.input("s", f32, {1, 1, queries, keys}); }

template <typename Kernel> std::vector<double> weights(const Kernel &kernel, reference::Shape shape) {
  return valuesOf(firstOutput(kernel, {reference::zeros(shape)}));
}

} // namespace

TEST_CASE("a mask keeps what its program says") {
  static constexpr kernel causal{
      "causal", [](graph &g) {
        g.output("y", softmax(mask(inputScores(g), [](index, index, index q, index k) { return k <= q; })));
      }};
  CHECK(weights(causal, {1, 1, 2, 3}) == std::vector<double>{1, 0, 0, 0.5, 0.5, 0});
  static constexpr kernel corner{
      "corner", [](graph &g) {
        g.output("y", softmax(mask(inputScores(g),
                                   [](index, index, index q, index k) { return k - keys <= q - queries; })));
      }};
  CHECK(weights(corner, {1, 1, 2, 4}) == std::vector<double>{1. / 3, 1. / 3, 1. / 3, 0, .25, .25, .25, .25});
  CHECK(weights(corner, {1, 1, 3, 1}) == std::vector<double>{0, 0, 1});
}

TEST_CASE("integer arithmetic of programs rounds towards minus infinity") {
  static constexpr kernel blocks{"blocks", [](graph &g) {
                                   g.output("y",
                                            softmax(mask(inputScores(g), [](index, index, index q, index k) {
                                              return (q - k) / 2 == 0 && (q - k) % 2 == 1;
                                            })));
                                 }};
  // (q - k) is 1 only where k = q - 1; -1 / 2 is -1, not 0.
  CHECK(weights(blocks, {1, 1, 2, 3}) == std::vector<double>{0, 0, 0, 1, 0, 0});
}

TEST_CASE("a score program computes with indices, numbers and tables") {
  static constexpr kernel biased{
      "biased", [](graph &g) {
        tensor table = g.input("table", f32, {3});
        g.output("y", score_mod(inputScores(g), [&](value s, index, index, index q, index k) {
                   return s + table(k - q) * 2;
                 }));
      }};
  // The index is clamped into the table: -1 reads element 0, 3 reads element 2.
  reference::Tensor y = firstOutput(biased, {tensorOf({3}, {1, 10, 100}), reference::zeros({1, 1, 2, 4})});
  CHECK(valuesOf(y) == std::vector<double>{2, 20, 200, 200, 2, 2, 20, 200});
  static constexpr kernel capped{
      "capped", [](graph &g) {
        g.output("y", score_mod(inputScores(g),
                                [](value s, index, index, index, index) { return 2.0 * tanh(s / 2.0); }));
      }};
  CHECK(valuesOf(firstOutput(capped, {tensorOf({1, 1, 1, 2}, {4, -infinite})})) ==
        std::vector<double>{2 * std::tanh(2), -2});
}

TEST_CASE("a hidden value never enters, a visible NaN does") {
  static constexpr kernel attend{
      "attend", [](graph &g) {
        tensor s = g.input("s", f32, {1, 1, queries, keys}), v = g.input("v", f32, {1, 1, keys, 1});
        g.output("y", matmul(softmax(mask(s, [](index, index, index q, index k) { return k <= q; })), v));
      }};
  std::vector<double> y = valuesOf(
      firstOutput(attend, {reference::zeros({1, 1, 2, 3}), tensorOf({1, 1, 3, 1}, {1, 3, nan_value})}));
  CHECK(y == std::vector<double>{1, 2});
  y = valuesOf(
      firstOutput(attend, {tensorOf({1, 1, 2, 2}, {0, nan_value, 0, 0}), tensorOf({1, 1, 2, 1}, {1, 3})}));
  CHECK(y == std::vector<double>{1, 2});
  y = valuesOf(
      firstOutput(attend, {tensorOf({1, 1, 2, 2}, {0, 0, nan_value, 0}), tensorOf({1, 1, 2, 1}, {1, 3})}));
  CHECK(y[0] == 1);
  CHECK(std::isnan(y[1]));
}

TEST_CASE("a hidden key stays hidden whatever is added to its score or multiplied with its weight") {
  static constexpr kernel attend{
      "attend", [](graph &g) {
        tensor s = g.input("s", f32, {1, 1, queries, keys}), v = g.input("v", f32, {1, 1, keys, 1});
        tensor bias = g.input("bias", f32, {queries, keys}), gate = g.input("gate", f32, {keys});
        tensor masked = mask(s, [](index, index, index q, index k) { return k <= q; });
        tensor scores =
            score_mod(masked / 2.0 + bias, [](value x, index, index, index, index) { return x + 1; });
        tensor weights =
            score_mod(softmax(scores), [&](value w, index, index, index, index k) { return w * gate(k); });
        g.output("y", matmul(weights, v));
        g.output("weights", weights);
      }};
  reference::Tensor s = tensorOf({1, 1, 2, 2}, {0, nan_value, 0, 0}),
                    v = tensorOf({1, 1, 2, 1}, {1, nan_value}), bias = tensorOf({2, 2}, {0, nan_value, 0, 0}),
                    gate = tensorOf({2}, {3, nan_value});
  std::vector<double> y = valuesOf(firstOutput(attend, {s, v, bias, gate}));
  CHECK(y[0] == 3);
  CHECK(std::isnan(y[1]));
}

TEST_CASE("where rounding decides, a result is uncertain and nothing else is") {
  static constexpr kernel decided{
      "decided", [](graph &g) {
        tensor table = g.input("table", f32, {3});
        g.output("y", score_mod(inputScores(g), [&](value s, index, index, index, index) {
                   return table(select(exp(s) >= 1, 1, 2));
                 }));
      }};
  // exp 0 may come out a little below 1; exp 1 and exp -1 lie far from it.
  reference::Tensor y =
      firstOutput(decided, {tensorOf({3}, {1, 10, 100}), tensorOf({1, 1, 1, 3}, {0, 1, -1})});
  CHECK(valuesOf(y) == std::vector<double>{10, 10, 100});
  CHECK(y.elements[0].bound == 90);
  CHECK(y.elements[1].bound == 0);
  CHECK(y.elements[2].bound == 0);

  static constexpr kernel hidden{"hidden", [](graph &g) {
                                   tensor s = inputScores(g), x = g.input("x", f32, {keys});
                                   g.output("y", softmax(mask(s, [&](index, index, index q, index k) {
                                              return tanh(x(k)) <= tanh(x(q));
                                            })));
                                 }};
  y = firstOutput(hidden, {reference::zeros({1, 1, 2, 3}), tensorOf({3}, {0, 1, 2})});
  for (int i = 0; i < 6; ++i)
    CHECK(y.elements[i].bound == (y.elements[i].absent ? 0 : 1));
  CHECK(y.elements[1].absent);
  CHECK(!y.elements[4].absent);
}
