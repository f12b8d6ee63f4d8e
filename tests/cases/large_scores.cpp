// Scores that are large or infinite, caps, and fills.
#include "Kernels.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr kernel scaled{"scaled", [](graph &g) {
                          operands x{g.input("q", f32, {batch, heads, queries, 64}),
                                     g.input("k", f32, {batch, heads, keys, 64}),
                                     g.input("v", f32, {batch, heads, keys, width})};
                          g.output("y", attention(x.q, x.k, x.v));
                        }};

/// Scores are the bias where q is 0.
constexpr auto biased(const char *name, auto type) {
  return kernel{name, [](graph &g) {
                  operands x = inputs(g, decltype(type)::value);
                  tensor scores =
                      matmul(x.q, transpose(x.k)) + g.input("bias", decltype(type)::value, {queries, keys});
                  tensor weights = softmax(scores);
                  g.output("y", matmul(weights, x.v));
                  g.output("lse", log_sum_exp(scores));
                  g.output("weights", weights);
                }};
}
constexpr auto biased_f32 = biased("biased_f32", std::integral_constant<dtype, f32>());
constexpr auto biased_f64 = biased("biased_f64", std::integral_constant<dtype, f64>());

constexpr kernel biased_masked{
    "biased_masked", [](graph &g) {
      operands x = inputs(g);
      tensor scores = matmul(x.q, transpose(x.k)) + g.input("bias", f32, {queries, keys});
      g.output("y", matmul(softmax(where(g.input("visible", b8, {queries, keys}), scores, -infinity)), x.v));
    }};

constexpr kernel capped_then_masked{
    "capped_then_masked", [](graph &g) {
      operands x = inputs(g);
      g.output("y", attend(x, {.score_mod = softcap(2), .mask = g.input("visible", b8, {queries, keys})}));
    }};
constexpr kernel capped_then_added{"capped_then_added", [](graph &g) {
                                     operands x = inputs(g);
                                     tensor scores = score_mod(matmul(x.q, transpose(x.k)), softcap(2)) +
                                                     g.input("bias", f32, {queries, keys});
                                     g.output("y", matmul(softmax(scores), x.v));
                                   }};
constexpr kernel masked_then_capped{"masked_then_capped", [](graph &g) {
                                      operands x = inputs(g);
                                      tensor scores = where(g.input("visible", b8, {queries, keys}),
                                                            matmul(x.q, transpose(x.k)), -infinity);
                                      g.output("y", matmul(softmax(score_mod(scores, softcap(2))), x.v));
                                    }};

const Kernels &compiled() {
  static const Kernels kernels{&scaled,
                               &biased_f32,
                               &biased_f64,
                               &biased_masked,
                               &capped_then_masked,
                               &capped_then_added,
                               &masked_then_capped};
  return kernels;
}

Array repeatedRow(int64_t queries, std::vector<double> row, spec::dtype type = spec::dtype::f32) {
  std::vector<double> all;
  for (int64_t i = 0; i < queries; ++i)
    all.insert(all.end(), row.begin(), row.end());
  return Array({queries, int64_t(row.size())}, all, type);
}

} // namespace
} // namespace heed::cases

// https://github.com/philipturner/metal-flash-attention/issues/8,
// https://github.com/mlc-ai/mlc-llm/issues/1638
TEST_CASE("products far beyond the range of half precision") {
  double size = GENERATE(40.0, 256.0, 1e4, 133120.0);
  int64_t queries = GENERATE(1, 4, 50);
  Array k = Array::filled({1, 1, 2, 64}, size);
  k.fill({0, 0, 1}, 0);
  Array v({1, 1, 2, 1}, {7, 3});
  for (double element : compiled()(scaled, {Array::filled({1, 1, queries, 64}, size), k, v}).elements())
    CHECK(element == 7);
}

TEST_CASE("one key of large numbers gives its value") {
  Array x = Array::filled({1, 1, 1, 64}, 133120);
  CHECK(compiled()(scaled, {x, x, x}) == x);
}

// https://github.com/flashinfer-ai/flashinfer/issues/4401
TEST_CASE("scores far below and above any start of a running maximum") {
  double score = GENERATE(-60000.0, 60000.0, -1e6, -3e38, 3e38);
  int64_t queries = GENERATE(1, 3, 40);
  for (const spec::graph *kernel :
       {static_cast<const spec::graph *>(&biased_f32), static_cast<const spec::graph *>(&biased_f64)}) {
    spec::dtype type = kernel->nodes[0].type;
    auto results = compiled().call(
        *kernel, {Array::filled({1, 1, queries, 2}, 0, type), Array::random({1, 1, 2, 2}, 1, type),
                  Array({1, 1, 2, 1}, {1, 3}, type), repeatedRow(queries, {score, score}, type)});
    for (int64_t i = 0; i < queries; ++i) {
      CHECK(results[0].at({0, 0, i, 0}) == Approx(2));
      CHECK(results[1].at({0, 0, i}) == Approx(score + std::log(2.0)).epsilon(1e-6));
    }
  }
}

// https://github.com/huggingface/transformers/issues/18185
TEST_CASE("no bias brings a hidden key back") {
  double bias = GENERATE(1e6, 1e30, double(INFINITY), double(NAN));
  int64_t queries = GENERATE(1, 3, 40);
  Array visible = repeatedRow(queries, {1, 0, 1}, spec::dtype::b8);
  Array y = compiled()(biased_masked,
                       {Array::filled({1, 1, queries, 2}, 0), Array::random({1, 1, 3, 2}, 1),
                        Array({1, 1, 3, 1}, {1, 1e30, 3}), repeatedRow(queries, {0, bias, 0}), visible});
  for (double element : y.elements())
    CHECK(element == 2);
}

// https://github.com/NVIDIA/apex/issues/1105, https://github.com/google/flax/issues/982
TEST_CASE("finite fills of any type hide beside other scores and average alone") {
  double fill = GENERATE(-1e9, -1e10, -65504.0, -1e30);
  int64_t queries = GENERATE(1, 40);
  for (const spec::graph *kernel :
       {static_cast<const spec::graph *>(&biased_f32), static_cast<const spec::graph *>(&biased_f64)}) {
    spec::dtype type = kernel->nodes[0].type;
    std::vector<Array> arguments{Array::filled({1, 1, queries, 2}, 0, type),
                                 Array::random({1, 1, 2, 2}, 1, type), Array({1, 1, 2, 1}, {1, 3}, type),
                                 repeatedRow(queries, {0, fill}, type)};
    CHECK(compiled().call(*kernel, arguments)[2] ==
          repeatedRow(queries, {1, 0}, type).reshaped({1, 1, queries, 2}));
    arguments[3] = repeatedRow(queries, {fill, fill}, type);
    CHECK(compiled().call(*kernel, arguments)[2] ==
          repeatedRow(queries, {0.5, 0.5}, type).reshaped({1, 1, queries, 2}));
  }
}

// https://github.com/onnx/onnx/pull/7865, https://github.com/Dao-AILab/flash-attention/pull/1025
TEST_CASE("a cap before the mask lets nothing of a hidden key through") {
  double hiddenValue = GENERATE(1e30, double(NAN));
  int64_t queries = GENERATE(1, 3, 40);
  Array q = Array::filled({1, 1, queries, 2}, 0), k = Array::random({1, 1, 2, 2}, 1),
        v({1, 1, 2, 1}, {5, hiddenValue});
  for (double element :
       compiled()(capped_then_masked, {q, k, v, repeatedRow(queries, {1, 0}, spec::dtype::b8)}).elements())
    CHECK(element == 5);
  for (double element :
       compiled()(capped_then_added, {q, k, v, repeatedRow(queries, {0, -INFINITY})}).elements())
    CHECK(element == 5);
}

TEST_CASE("a cap behind the mask is another function, in which the hidden key has the score of the cap") {
  Array q = Array::filled({1, 1, 1, 2}, 0), k = Array::random({1, 1, 2, 2}, 1), v({1, 1, 2, 1}, {1, 0});
  double weight = 1 / (1 + std::exp(-2.0));
  CHECK(compiled()(masked_then_capped, {q, k, v, Array({1, 2}, {1, 0}, spec::dtype::b8)}).at({0, 0, 0, 0}) ==
        Approx(weight));
}
