// Dropout that is asked for, and returned weights.
#include "Kernels.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr kernel dropped{"dropped", [](graph &g) {
                           operands x = inputs(g);
                           tensor weights = softmax(matmul(x.q, transpose(x.k)));
                           tensor kept = dropout(weights, g.scalar("p", f32), g.scalar("seed", i64));
                           g.output("y", matmul(kept, x.v));
                           g.output("before", weights);
                           g.output("after", kept);
                         }};
constexpr kernel dropped_output{
    "dropped_output", [](graph &g) {
      operands x = inputs(g);
      g.output("y", attend(x, {.dropout = {.p = g.scalar("p", f32), .seed = g.scalar("seed", i64)}}));
    }};

const Kernels &compiled() {
  static const Kernels kernels{&dense, &dropped, &dropped_output};
  return kernels;
}

struct Problem {
  Array q, k, v;
  Problem(int64_t queries, int64_t keys)
      : q(Array::random({2, 2, queries, 8}, 1)), k(Array::random({2, 2, keys, 8}, 2)),
        v(Array::random({2, 2, keys, 8}, 3)) {}
  std::vector<Array> arguments(double p, double seed) const {
    return {q, k, v, Array::scalar(p, spec::dtype::f32), Array::scalar(seed, spec::dtype::i64)};
  }
};

} // namespace
} // namespace heed::cases

// https://github.com/pytorch/pytorch/issues/124464
TEST_CASE("without a probability nothing is dropped, whatever the seed") {
  int64_t queries = GENERATE(1, 5, 70);
  Problem problem(queries, 20);
  Array plain = compiled()(dense, {problem.q, problem.k, problem.v});
  for (double seed : {0.0, 1.0, 1e15}) {
    CHECK(difference(compiled()(dropped_output, problem.arguments(0, seed)), plain) < 1e-6);
    auto results = compiled().call(dropped, problem.arguments(0, seed));
    CHECK(difference(results[0], plain) < 1e-6);
    CHECK(difference(results[1], results[2]) < 1e-6);
  }
}

TEST_CASE("a seed decides the bits, threads do not") {
  int64_t queries = GENERATE(1, 5, 70);
  Problem problem(queries, 150);
  Array first = compiled()(dropped_output, problem.arguments(0.1, 17));
  for (int threads : {1, 2, 3, 8}) {
    heed_options options{threads, nullptr, nullptr, nullptr, 0};
    CHECK(compiled()(dropped_output, problem.arguments(0.1, 17), &options) == first);
  }
  CHECK_FALSE(compiled()(dropped_output, problem.arguments(0.1, 18)) == first);
}

// https://github.com/NVIDIA/apex/issues/816, https://github.com/pytorch/pytorch/issues/42929
TEST_CASE("what is kept is divided by 1 - p, in the weights that are returned behind dropout") {
  Problem problem(33, 1); // one key: every weight is 1
  auto results = compiled().call(dropped, problem.arguments(0.2, 5));
  CHECK(results[1] == Array::filled({2, 2, 33, 1}, 1));
  int kept = 0;
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t h = 0; h < 2; ++h)
      for (int64_t i = 0; i < 33; ++i) {
        double weight = results[2].at({b, h, i, 0});
        kept += weight != 0;
        CHECK((weight == 0 || weight == Approx(1.25)));
        CHECK(results[0].at({b, h, i, 3}) == Approx(weight * problem.v.at({b, h, 0, 3})));
      }
  CHECK(kept > 80);
  CHECK(kept < 125);
}

TEST_CASE("the output is that of the returned weights") {
  auto [queries, keys] = GENERATE(std::pair(1, 40), std::pair(5, 9), std::pair(70, 130));
  Problem problem(queries, keys);
  auto results = compiled().call(dropped, problem.arguments(0.5, 3));
  Array y = results[0], after = results[2];
  for (int64_t i = 0; i < queries; ++i) {
    double sum = 0;
    for (int64_t n = 0; n < keys; ++n)
      sum += after.at({1, 0, i, n}) * problem.v.at({1, 0, n, 2});
    CHECK(y.at({1, 0, i, 2}) == Approx(sum).margin(1e-5));
  }
  CHECK(difference(compiled()(dropped_output, problem.arguments(0.5, 3)), y) < 1e-5);
}

// https://github.com/facebookresearch/fairseq/issues/3365, https://github.com/pytorch/pytorch/issues/34537
TEST_CASE("weights are returned per head") {
  Problem problem(4, 4);
  Array weights = compiled().call(dropped, problem.arguments(0, 0))[1];
  REQUIRE(weights.shape() == heed::tests::Shape{2, 2, 4, 4});
  CHECK(weights.at({0, 0, 0, 0}) != weights.at({0, 1, 0, 0}));
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t i = 0; i < 4; ++i)
      CHECK(weights.at({0, h, i, 0}) + weights.at({0, h, i, 1}) + weights.at({0, h, i, 2}) +
                weights.at({0, h, i, 3}) ==
            Approx(1));
}
