// Dropout: which elements stay depends on the seed and their place alone, and on the average nothing changes.
#include "Kernels.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>

using namespace heed;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::laws {
namespace {

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

template <bool with_weights> constexpr auto dropped(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor q = g.input("q", f32, {batch, 2, queries, 16}),
                         k = g.input("k", f32, {batch, 2, keys, 16}),
                         v = g.input("v", f32, {batch, 2, keys, 16});
                  tensor weights = dropout(softmax(matmul(q, transpose(k)) / 4), g.scalar("p", f32),
                                           g.scalar("seed", i64));
                  g.output("y", matmul(weights, v));
                  if (with_weights)
                    g.output("weights", weights);
                }};
}
constexpr auto output_alone = dropped<false>("output_alone");
constexpr auto output_and_weights = dropped<true>("output_and_weights");

/// Other tiles than the defaults: every family cuts queries and keys in other places.
void smallTiles(ScheduleTable &schedules, int lanes) {
  for (auto &[name, schedule] : schedules)
    if (auto *attention = std::get_if<AttentionSchedule>(&schedule)) {
      attention->rows = {lanes, 64, 1, 2, 2, 1};
      attention->small = {lanes, 6, 1, 2, 1, 1};
      attention->smallLimit = lanes;
      attention->depthRowLimit = 3;
      attention->depthKeyChunk = 2 * lanes;
    } else if (auto *scores = std::get_if<ScoresSchedule>(&schedule)) {
      scores->block = {lanes, 64, 1, 2, 2, 1};
      scores->smallLimit = 0;
    }
}

const Kernels &compiled() {
  static const Kernels kernels{&output_alone, &output_and_weights};
  return kernels;
}
const Kernels &otherwise() {
  static const Kernels kernels({&output_alone, &output_and_weights}, smallTiles);
  return kernels;
}

struct Problem {
  Array q, k, v;
  Problem(int64_t queries, int64_t keys)
      : q(Array::random({2, 2, queries, 16}, 1)), k(Array::random({2, 2, keys, 16}, 2)),
        v(Array::random({2, 2, keys, 16}, 3)) {}
  std::vector<Array> arguments(double p, int64_t seed) const {
    return {q, k, v, Array::scalar(p, spec::dtype::f32), Array::scalar(double(seed), spec::dtype::i64)};
  }
};

/// 1 where a weight stays.
std::vector<bool> kept(const Array &weights) {
  std::vector<bool> result;
  for (double weight : weights.elements())
    result.push_back(weight != 0);
  return result;
}

} // namespace
} // namespace heed::laws

using namespace heed::laws;

TEST_CASE("the same elements are dropped by every tiling and number of threads") {
  auto [queries, keys] =
      GENERATE(std::pair(1, 300), std::pair(3, 40), std::pair(12, 100), std::pair(130, 70));
  Problem problem(queries, keys);
  auto first = compiled().call(output_and_weights, problem.arguments(0.3, 99));
  auto other = otherwise().call(output_and_weights, problem.arguments(0.3, 99));
  CHECK(kept(first[1]) == kept(other[1]));
  CHECK(difference(first[1], other[1]) < 1e-6);
  CHECK(difference(first[0], other[0]) < 2e-6);
  CHECK(difference(compiled()(output_alone, problem.arguments(0.3, 99)), first[0]) < 2e-6);
  CHECK(difference(otherwise()(output_alone, problem.arguments(0.3, 99)), first[0]) < 2e-6);
  for (int threads = 1; threads <= 8; ++threads) {
    heed_options options{threads, nullptr, nullptr, nullptr, 0};
    for (const Kernels *kernels : {&compiled(), &otherwise()})
      CHECK((*kernels)(output_alone, problem.arguments(0.3, 99), &options) ==
            (*kernels)(output_alone, problem.arguments(0.3, 99)));
  }
}

TEST_CASE("the share that stays is 1 - p") {
  double p = GENERATE(0.1, 0.5, 0.9);
  int64_t seed = GENERATE(0, 1, -7, int64_t(1) << 40);
  Problem problem(60, 50);
  double stayed = 0;
  std::vector<bool> stays = kept(compiled().call(output_and_weights, problem.arguments(p, seed))[1]);
  for (bool one : stays)
    stayed += one;
  // Four standard deviations of independent choices.
  double count = double(stays.size());
  CHECK(std::fabs(stayed / count - (1 - p)) < 4 * std::sqrt(p * (1 - p) / count));
}

TEST_CASE("the mean over many seeds is attention without dropout") {
  auto [queries, keys] = GENERATE(std::pair(1, 20), std::pair(20, 20));
  constexpr int seeds = 2000;
  constexpr double p = 0.2;
  Problem problem(queries, keys);
  Array plain = compiled()(output_alone, problem.arguments(0, 0));
  std::vector<double> sums(plain.elements().size(), 0), squares = sums;
  for (int seed = 0; seed < seeds; ++seed) {
    std::vector<double> y = compiled()(output_alone, problem.arguments(p, seed)).elements();
    for (size_t i = 0; i < y.size(); ++i) {
      sums[i] += y[i];
      squares[i] += y[i] * y[i];
    }
  }
  std::vector<double> expected = plain.elements();
  for (size_t i = 0; i < sums.size(); ++i) {
    double mean = sums[i] / seeds, variance = squares[i] / seeds - mean * mean;
    // Of thousands of means none lies six standard deviations away.
    REQUIRE(std::fabs(mean - expected[i]) < 6 * std::sqrt(variance / seeds) + 1e-5);
  }
}

TEST_CASE("seeds are independent of each other") {
  Problem problem(60, 50);
  std::vector<bool> a = kept(compiled().call(output_and_weights, problem.arguments(0.5, 1))[1]),
                    b = kept(compiled().call(output_and_weights, problem.arguments(0.5, 2))[1]);
  double equal = 0;
  for (size_t i = 0; i < a.size(); ++i)
    equal += a[i] == b[i];
  CHECK(std::fabs(equal / double(a.size()) - 0.5) < 4 * 0.5 / std::sqrt(double(a.size())));
}
