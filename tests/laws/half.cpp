// The laws that hold to the bit in half precision too, and those that hold within its rounding.
#include "Kernels.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>
#include <numeric>
#include <random>

using namespace heed;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::laws {
namespace {

constexpr extent instances{"instances"}, tokens{"tokens"}, others{"others"};
constexpr int width = 24;

template <dtype type, bool isCausal> constexpr auto attending(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor q = g.input("q", type, {instances, 2, tokens, width}),
                         k = g.input("k", type, {instances, 2, others, width}),
                         v = g.input("v", type, {instances, 2, others, width});
                  g.output("y", isCausal ? attention(q, k, v, {.mask = causal()}) : attention(q, k, v));
                }};
}
constexpr auto plain_f16 = attending<f16, false>("plain_f16");
constexpr auto plain_bf16 = attending<bf16, false>("plain_bf16");
constexpr auto causal_f16 = attending<f16, true>("causal_f16");
constexpr auto causal_bf16 = attending<bf16, true>("causal_bf16");

const Kernels &halves() {
  static const Kernels kernels{&plain_f16, &plain_bf16, &causal_f16, &causal_bf16};
  return kernels;
}

struct HalfProblem {
  const spec::graph *kernel;
  int64_t batch, queries, keys;
  Array q, k, v;

  dtype type() const { return kernel->nodes[0].type; }
  double ulp() const { return type() == f16 ? 0x1p-10 : 0x1p-7; } ///< at 1
  std::vector<Array> arguments() const { return {q, k, v}; }
};

/// Every kernel in every family: few queries, one vector of them, several blocks.
HalfProblem drawHalf() {
  const spec::graph *kernel =
      GENERATE(as<const spec::graph *>(), &plain_f16, &plain_bf16, &causal_f16, &causal_bf16);
  const auto [batch, queries, keys] = GENERATE(
      table<int64_t, int64_t, int64_t>({{2, 1, 70}, {2, 1, 1500}, {3, 7, 33}, {2, 40, 129}, {1, 150, 66}}));
  const dtype type = kernel->nodes[0].type;
  return {kernel,
          batch,
          queries,
          keys,
          Array::random({batch, 2, queries, width}, 1, type),
          Array::random({batch, 2, keys, width}, 2, type),
          Array::random({batch, 2, keys, width}, 3, type)};
}

Array times(const Array &x, double factor) {
  std::vector<double> elements = x.elements();
  for (double &element : elements)
    element *= factor;
  return Array(x.shape(), elements, x.host().type);
}

/// Tokens in another order.
Array ordered(const Array &x, const std::vector<int64_t> &order) {
  Array result = x;
  for (int64_t b = 0; b < x.shape()[0]; ++b)
    for (int64_t h = 0; h < x.shape()[1]; ++h)
      for (int64_t n = 0; n < x.shape()[2]; ++n)
        for (int64_t d = 0; d < x.shape()[3]; ++d)
          result.set({b, h, n, d}, x.at({b, h, order[n], d}));
  return result;
}

} // namespace
} // namespace heed::laws

using namespace heed::laws;

TEST_CASE("doubling the values doubles the output of half precision, to the bit") {
  const HalfProblem problem = drawHalf();
  const std::vector<double> y = halves()(*problem.kernel, problem.arguments()).elements();
  for (const double factor : {2.0, -4.0}) {
    const std::vector<double> more =
        halves()(*problem.kernel, {problem.q, problem.k, times(problem.v, factor)}).elements();
    for (size_t i = 0; i < y.size(); ++i) // numbers of f16 that are not normal have less digits
      REQUIRE(std::abs(more[i] - factor * y[i]) <=
              (std::abs(y[i]) < 0x1p-14 ? std::abs(factor) * 0x1p-25 : 0));
  }
}

TEST_CASE("a batch of one is its entry of a larger batch in half precision, to the bit") {
  const HalfProblem problem = drawHalf();
  const Array y = halves()(*problem.kernel, problem.arguments());
  for (int64_t b = 0; b < problem.batch; ++b)
    CHECK(halves()(*problem.kernel, {problem.q.slice(0, b, 1), problem.k.slice(0, b, 1),
                                     problem.v.slice(0, b, 1)}) == y.slice(0, b, 1));
}

TEST_CASE("any number of threads gives the same bits in half precision") {
  const HalfProblem problem = drawHalf();
  heed_options options{1, nullptr, nullptr, nullptr, 0};
  const Array serial = halves()(*problem.kernel, problem.arguments(), &options);
  for (options.threads = 2; options.threads <= 5; ++options.threads)
    CHECK(halves()(*problem.kernel, problem.arguments(), &options) == serial);
}

TEST_CASE("equal values are the output, whatever the weights") {
  HalfProblem problem = drawHalf();
  problem.v = Array::filled(problem.v.shape(), 0.75, problem.type());
  const Array y = halves()(*problem.kernel, problem.arguments());
  CHECK(difference(y, Array::filled(y.shape(), 0.75, problem.type())) <= problem.ulp());
}

TEST_CASE("the order of the keys changes roundings only in half precision") {
  const HalfProblem problem = drawHalf();
  if (problem.kernel == &causal_f16 || problem.kernel == &causal_bf16)
    return;
  std::vector<int64_t> order(problem.keys);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  const Array y = halves()(*problem.kernel, problem.arguments());
  CHECK(
      difference(halves()(*problem.kernel, {problem.q, ordered(problem.k, order), ordered(problem.v, order)}),
                 y) <= problem.ulp());
}

TEST_CASE("a later token changes no earlier row of causal attention in half precision, to the bit") {
  const spec::graph *kernel = GENERATE(as<const spec::graph *>(), &causal_f16, &causal_bf16);
  const dtype type = kernel->nodes[0].type;
  const Array q = Array::random({2, 2, 66, width}, 1, type);
  Array k = Array::random({2, 2, 66, width}, 2, type), v = Array::random({2, 2, 66, width}, 3, type);
  const Array y = halves()(*kernel, {q, k, v});
  for (int64_t h = 0; h < 2; ++h) {
    k.fill({1, h, 50}, 60000);
    v.fill({1, h, 50}, NAN);
  }
  const Array changed = halves()(*kernel, {q, k, v});
  CHECK(changed.slice(2, 0, 50) == y.slice(2, 0, 50));
  CHECK_FALSE(changed.slice(2, 50, 16) == y.slice(2, 50, 16));
}
