// Score programs where their functions end, and masks that look at the score.
#include "Kernels.h"
#include "attention_kernels.hpp"
#include "naive.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

/// Weights that are a function of scores, some of them hidden.
template <class function> constexpr auto weighed(const char *name, function) {
  return kernel{name, [](graph &g) {
                  operands x = inputs(g);
                  tensor scores = matmul(x.q, transpose(x.k)) + g.input("bias", f32, {queries, keys});
                  tensor weights = score_mod(
                      mask(scores, [](index, index, index, index k) { return k != 1; }), function());
                  g.output("weights", weights);
                  g.output("y", matmul(weights, x.v));
                }};
}
constexpr auto by_sigmoid =
    weighed("by_sigmoid", [](value s, index, index, index, index) { return sigmoid(s); });
constexpr auto by_exp = weighed("by_exp", [](value s, index, index, index, index) { return exp(s); });
constexpr auto by_sine = weighed("by_sine", [](value s, index, index, index, index) { return sin(s); });
constexpr auto by_bounds =
    weighed("by_bounds", [](value s, index, index, index, index) { return max(min(s, 2.0), -2.0); });

constexpr kernel above_threshold{"above_threshold", [](graph &g) {
                                   operands x = inputs(g);
                                   g.output("y",
                                            attend(x, {.score_mod = [](value s, index, index, index, index) {
                                                     return select(s > 0.3, s, -infinity);
                                                   }}));
                                 }};

constexpr kernel nan_for_empty{"nan_for_empty", [](graph &g) {
                                 operands x = inputs(g);
                                 tensor scores = mask(matmul(x.q, transpose(x.k)),
                                                      [](index, index, index, index k) { return k < 0; });
                                 g.output("y", matmul(softmax(scores, {.nan_for_empty = true}), x.v));
                               }};

constexpr kernel divided{
    "divided", [](graph &g) {
      tensor q = g.input("q", f32, {batch, heads, queries, depth}),
             k = g.input("k", f32, {batch, heads, keys, depth});
      g.output("scores", score_mod(matmul(q, transpose(k)), [](value s, index, index, index q, index k) {
                 return s + (q / k + q % k * 10);
               }));
    }};

const Kernels &compiled() {
  static const Kernels kernels{&divided,   &by_sigmoid,      &by_exp,       &by_sine,
                               &by_bounds, &above_threshold, &nan_for_empty};
  return kernels;
}

/// The weights of one row whose scores are these; the second one is hidden.
std::vector<double> weightsOf(const spec::graph &kernel, const std::vector<double> &scores) {
  int64_t keys = int64_t(scores.size());
  return compiled()(kernel, {Array::filled({1, 1, 1, 2}, 0), Array::filled({1, 1, keys, 2}, 0),
                             Array::filled({1, 1, keys, 1}, 1), Array({1, keys}, scores)})
      .elements();
}

} // namespace
} // namespace heed::cases

TEST_CASE("functions of hidden and of huge scores") {
  std::vector<double> sigmoids = weightsOf(by_sigmoid, {0, 5, -1e9, 1e9, -INFINITY, INFINITY, NAN});
  CHECK(std::vector<double>(sigmoids.begin(), sigmoids.end() - 1) == std::vector<double>{0.5, 0, 0, 1, 0, 1});
  CHECK(std::isnan(sigmoids.back()));
  std::vector<double> powers = weightsOf(by_exp, {0, 5, -1e9, 1e9, -INFINITY, INFINITY, NAN});
  CHECK(std::vector<double>(powers.begin(), powers.end() - 1) ==
        std::vector<double>{1, 0, 0, INFINITY, 0, INFINITY});
  CHECK(std::isnan(powers.back()));
  std::vector<double> sines = weightsOf(by_sine, {0.5, 5, INFINITY, NAN});
  CHECK(sines[0] == Approx(std::sin(0.5)));
  CHECK(std::isnan(sines[1]));
  CHECK(std::isnan(sines[2]));
  CHECK(std::isnan(sines[3]));
  std::vector<double> bounded = weightsOf(by_bounds, {0.5, 5, INFINITY, -INFINITY, NAN});
  CHECK(std::vector<double>(bounded.begin(), bounded.end() - 1) == std::vector<double>{0.5, -2, 2, -2});
  CHECK(std::isnan(bounded.back()));
}

TEST_CASE("a mask that looks at the score sees its true size in every family") {
  int64_t queries = GENERATE(1, 3, 12, 70);
  Array q = Array::random({2, 2, queries, 8}, 1), k = Array::random({2, 2, 90, 8}, 2),
        v = Array::random({2, 2, 90, 8}, 3);
  CHECK(difference(compiled()(above_threshold, {q, k, v}), naive(q, k, v, 1, [](double s, const Position &) {
                     return s > 0.3 ? s : -INFINITY;
                   })) < 5e-6);
}

TEST_CASE("rows that see no key are NaN if asked; without any keys there is nothing to ask") {
  int64_t queries = GENERATE(1, 12, 70);
  Array q = Array::random({1, 1, queries, 8}, 1);
  for (double element :
       compiled()(nan_for_empty, {q, Array::random({1, 1, 5, 8}, 2), Array::random({1, 1, 5, 8}, 3)})
           .elements())
    CHECK(std::isnan(element));
  CHECK(compiled()(nan_for_empty, {q, Array({1, 1, 0, 8}, {}), Array({1, 1, 0, 8}, {})}) ==
        Array::filled({1, 1, queries, 8}, 0));
}

TEST_CASE("integers divided by 0 give 0, quotient and remainder") {
  // Key k has the score q / k + 10 · (q % k).
  Array scores = compiled()(divided, {Array::filled({1, 1, 4, 1}, 0), Array::filled({1, 1, 3, 1}, 0)});
  for (int64_t q = 0; q < 4; ++q) {
    CHECK(scores.at({0, 0, q, 0}) == 0);
    CHECK(scores.at({0, 0, q, 1}) == q);
    CHECK(scores.at({0, 0, q, 2}) == q / 2 + 10 * (q % 2));
  }
}
