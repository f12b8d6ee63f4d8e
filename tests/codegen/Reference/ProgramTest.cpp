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
