// What attention must obey whatever the numbers are, on compiled kernels of every family.
#include "Kernels.h"
#include "heed/merge.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>
#include <numeric>

using namespace heed;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;
using heed::tests::Shape;

namespace heed::laws {
namespace {

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"};
constexpr int depth = 24, window_size = 9;

struct operands {
  tensor q, k, v;
};

constexpr operands inputs(graph &g, const extent &b = batch) {
  return {g.input("q", f32, {b, heads, queries, depth}), g.input("k", f32, {b, heads, keys, depth}),
          g.input("v", f32, {b, heads, keys, depth})};
}

constexpr tensor scaled_scores(const operands &x) { return matmul(x.q, transpose(x.k)) / sqrt(depth); }

constexpr kernel dense{"dense", [](graph &g) {
                         operands x = inputs(g);
                         tensor scores = scaled_scores(x), weights = softmax(scores);
                         g.output("y", matmul(weights, x.v));
                         g.output("weights", weights);
                         g.output("lse", log_sum_exp(scores));
                       }};
constexpr kernel plain{"plain", [](graph &g) {
                         operands x = inputs(g);
                         g.output("y", attention(x.q, x.k, x.v));
                       }};
constexpr kernel masked{
    "masked", [](graph &g) {
      operands x = inputs(g);
      g.output("y", attention(x.q, x.k, x.v, {.mask = g.input("visible", b8, {batch, 1, queries, keys})}));
    }};
constexpr kernel always_true{
    "always_true", [](graph &g) {
      operands x = inputs(g);
      g.output("y", attention(x.q, x.k, x.v,
                              {.mask = [](index, index, index q, index k) { return q >= 0 || k == 3; }}));
    }};
constexpr kernel causal_attention{"causal_attention", [](graph &g) {
                                    operands x = inputs(g);
                                    g.output("y", attention(x.q, x.k, x.v, {.mask = causal()}));
                                  }};

/// What lies in a window, what lies outside, and both merged.
constexpr kernel in_two_parts{"in_two_parts", [](graph &g) {
                                operands x = inputs(g);
                                auto near = sliding_window(window_size, window_size);
                                attention_part inside = partial_attention(x.q, x.k, x.v, {.mask = near}),
                                               outside =
                                                   partial_attention(x.q, x.k, x.v, {.mask = not_mask(near)}),
                                               both = merge(inside, outside);
                                g.output("y", both.output);
                                g.output("lse", both.lse);
                                g.output("inside", inside.output);
                                g.output("inside_lse", inside.lse);
                                g.output("outside", outside.output);
                                g.output("outside_lse", outside.lse);
                              }};

const Kernels &compiled() {
  static const Kernels kernels{&dense, &plain, &masked, &always_true, &causal_attention, &in_two_parts};
  return kernels;
}

/// Sizes that meet each family: few queries, one vector of them, several blocks.
struct Sizes {
  int64_t batch, queries, keys;
};
Sizes sizes() {
  return GENERATE(Sizes{2, 1, 70}, Sizes{2, 1, 1500}, Sizes{3, 7, 33}, Sizes{2, 40, 129}, Sizes{1, 150, 66});
}

struct Problem {
  Array q, k, v;
  explicit Problem(const Sizes &s)
      : q(Array::random({s.batch, 2, s.queries, depth}, 1)), k(Array::random({s.batch, 2, s.keys, depth}, 2)),
        v(Array::random({s.batch, 2, s.keys, depth}, 3)) {}
  std::vector<Array> arguments() const { return {q, k, v}; }
};

/// Tokens in another order.
Array permuted(const Array &x, const std::vector<int64_t> &order) {
  Array result = x;
  for (int64_t b = 0; b < x.shape()[0]; ++b)
    for (int64_t h = 0; h < x.shape()[1]; ++h)
      for (int64_t n = 0; n < x.shape()[2]; ++n)
        for (int64_t d = 0; d < x.shape()[3]; ++d)
          result.set({b, h, n, d}, x.at({b, h, order[n], d}));
  return result;
}

Array scaled(const Array &x, double factor) {
  std::vector<double> elements = x.elements();
  for (double &element : elements)
    element *= factor;
  return Array(x.shape(), elements);
}

} // namespace
} // namespace heed::laws

using namespace heed::laws;

TEST_CASE("rows of weights sum to 1 and mix the values") {
  Problem problem(sizes());
  auto results = compiled().call(laws::dense, problem.arguments());
  int64_t keys = problem.k.shape()[2], rows = int64_t(results[1].elements().size()) / keys;
  std::vector<double> weights = results[1].elements(), y = results[0].elements(), v = problem.v.elements();
  int64_t queries = problem.q.shape()[2];
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0, mixed = 0;
    for (int64_t k = 0; k < keys; ++k) {
      sum += weights[row * keys + k];
      mixed += weights[row * keys + k] * v[(row / queries * keys + k) * depth];
    }
    REQUIRE(sum == Approx(1).margin(1e-5));
    REQUIRE(y[row * depth] == Approx(mixed).margin(1e-5));
  }
}

TEST_CASE("the order of the keys changes nothing") {
  Problem problem(sizes());
  std::vector<int64_t> order(problem.k.shape()[2]);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  Array y = compiled()(plain, problem.arguments());
  CHECK(difference(compiled()(plain, {problem.q, permuted(problem.k, order), permuted(problem.v, order)}),
                   y) < 1e-6);
}

TEST_CASE("the order of the queries orders the rows") {
  Problem problem(sizes());
  std::vector<int64_t> order(problem.q.shape()[2]);
  std::iota(order.rbegin(), order.rend(), 0);
  Array y = compiled()(plain, problem.arguments());
  CHECK(compiled()(plain, {permuted(problem.q, order), problem.k, problem.v}) == permuted(y, order));
}

TEST_CASE("a window and the rest, merged, are the whole") {
  Problem problem(sizes());
  auto whole = compiled().call(laws::dense, problem.arguments());
  auto parts = compiled().call(in_two_parts, problem.arguments());
  CHECK(difference(parts[0], whole[0]) < 2e-6);
  CHECK(difference(parts[1], whole[2]) < 2e-6);
}

TEST_CASE("the runtime's merge of the parts is the whole") {
  Problem problem(sizes());
  auto whole = compiled().call(laws::dense, problem.arguments());
  auto parts = compiled().call(in_two_parts, problem.arguments());
  auto floats = [](const Array &array) {
    std::vector<float> result;
    for (double element : array.elements())
      result.push_back(float(element));
    return result;
  };
  std::vector<float> memory[] = {floats(parts[2]),
                                 floats(parts[3]),
                                 floats(parts[4]),
                                 floats(parts[5]),
                                 std::vector<float>(parts[2].elements().size(), NAN),
                                 std::vector<float>(parts[3].elements().size(), NAN)};
  heed_view views[6];
  for (int i = 0; i < 6; ++i)
    views[i] = heed::tests::denseView(memory[i].data(), spec::dtype::f32, parts[i % 2 ? 3 : 2].shape());
  heed_status status{};
  heed_merge(views[0], views[1], views[2], views[3], views[4], views[5], nullptr, &status);
  REQUIRE(std::string(status.message) == "");
  auto array = [](const std::vector<float> &elements, const Shape &shape) {
    return Array(shape, std::vector<double>(elements.begin(), elements.end()));
  };
  CHECK(difference(array(memory[4], parts[2].shape()), whole[0]) < 2e-6);
  CHECK(difference(array(memory[5], parts[3].shape()), whole[2]) < 2e-6);
}

TEST_CASE("a mask that hides nothing is no mask") {
  Problem problem(sizes());
  Array y = compiled()(plain, problem.arguments());
  Array all = Array::filled({problem.q.shape()[0], 1, problem.q.shape()[2], problem.k.shape()[2]}, 1,
                            spec::dtype::b8);
  CHECK(difference(compiled()(laws::masked, {problem.q, problem.k, problem.v, all}), y) < 1e-6);
  CHECK(difference(compiled()(always_true, problem.arguments()), y) < 1e-6);
}

TEST_CASE("doubling the values doubles the output, to the bit") {
  Problem problem(sizes());
  for (const spec::graph *kernel :
       {static_cast<const spec::graph *>(&plain), static_cast<const spec::graph *>(&causal_attention)}) {
    Array y = compiled()(*kernel, problem.arguments());
    CHECK(compiled()(*kernel, {problem.q, problem.k, scaled(problem.v, 2)}) == scaled(y, 2));
    CHECK(compiled()(*kernel, {problem.q, problem.k, scaled(problem.v, -0.125)}) == scaled(y, -0.125));
  }
}

TEST_CASE("a batch of one is its entry of a larger batch, to the bit") {
  Sizes s = sizes();
  Problem problem(s);
  for (const spec::graph *kernel :
       {static_cast<const spec::graph *>(&plain), static_cast<const spec::graph *>(&causal_attention)}) {
    Array y = compiled()(*kernel, problem.arguments());
    for (int64_t b = 0; b < s.batch; ++b)
      CHECK(compiled()(*kernel, {problem.q.slice(0, b, 1), problem.k.slice(0, b, 1),
                                 problem.v.slice(0, b, 1)}) == y.slice(0, b, 1));
  }
}

TEST_CASE("any number of threads gives the same bits") {
  Problem problem(sizes());
  for (const spec::graph *kernel :
       {static_cast<const spec::graph *>(&laws::dense), static_cast<const spec::graph *>(&causal_attention),
        static_cast<const spec::graph *>(&in_two_parts)}) {
    heed_options options{1, nullptr, nullptr, nullptr, 0};
    auto serial = compiled().call(*kernel, problem.arguments(), &options);
    for (options.threads = 2; options.threads <= 8; ++options.threads) {
      auto results = compiled().call(*kernel, problem.arguments(), &options);
      for (size_t i = 0; i < results.size(); ++i)
        CHECK(results[i] == serial[i]);
    }
  }
}

TEST_CASE("a later token changes no earlier row of causal attention, to the bit") {
  Problem problem(Sizes{2, 66, 66});
  Array y = compiled()(causal_attention, problem.arguments());
  for (int64_t h = 0; h < 2; ++h) {
    problem.k.fill({1, h, 50}, 1e20);
    problem.v.fill({1, h, 50}, NAN);
  }
  Array changed = compiled()(causal_attention, problem.arguments());
  CHECK(changed.slice(2, 0, 50) == y.slice(2, 0, 50));
  CHECK_FALSE(changed.slice(2, 50, 16) == y.slice(2, 50, 16));
}
