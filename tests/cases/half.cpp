// Half precision: what f16 and bf16 broke elsewhere.
#include "Kernels.h"
#include "RuntimeKernel.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::Kernels;
using heed::tests::RuntimeKernel;

namespace heed::cases {
namespace {

/// Scores are scaled by 1 / √depth; weights and log-sum-exp beside the output.
template <dtype type, int depth> constexpr auto scaled(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor q = g.input("q", type, {batch, heads, queries, depth}),
                         k = g.input("k", type, {batch, heads, keys, depth});
                  tensor scores = matmul(q, transpose(k)) / sqrt(depth), weights = softmax(scores);
                  g.output("y", matmul(weights, g.input("v", type, {batch, heads, keys, width})));
                  g.output("weights", weights);
                  g.output("lse", log_sum_exp(scores));
                }};
}
constexpr auto f16_d64 = scaled<f16, 64>("f16_d64");
constexpr auto f16_d128 = scaled<f16, 128>("f16_d128");
constexpr auto bf16_d64 = scaled<bf16, 64>("bf16_d64");
constexpr auto bf16_d128 = scaled<bf16, 128>("bf16_d128");

/// Scores are the bias where q is 0; the weights are those of f32.
template <dtype type, dtype bias_type> constexpr auto biased(const char *name) {
  return kernel{name, [](graph &g) {
                  operands x = inputs(g, type);
                  tensor scores =
                      convert(matmul(x.q, transpose(x.k)), f32) + g.input("bias", bias_type, {queries, keys});
                  tensor weights = softmax(scores);
                  g.output("y", convert(matmul(weights, x.v), type));
                  g.output("weights", weights);
                  g.output("lse", log_sum_exp(scores));
                }};
}
constexpr auto biased_f16 = biased<f16, f16>("biased_f16");
constexpr auto biased_bf16 = biased<bf16, bf16>("biased_bf16");
constexpr auto widely_biased_f16 = biased<f16, f32>("widely_biased_f16");
constexpr auto widely_biased_bf16 = biased<bf16, f32>("widely_biased_bf16");

/// `fill` where a byte is 0.
template <dtype type, double fill> constexpr auto filled(const char *name) {
  return kernel{name, [](graph &g) {
                  operands x = inputs(g, type);
                  tensor scores = matmul(x.q, transpose(x.k)) + g.input("bias", type, {queries, keys}),
                         weights = softmax(where(g.input("visible", b8, {queries, keys}), scores, fill));
                  g.output("y", matmul(weights, x.v));
                  g.output("weights", weights);
                }};
}
constexpr auto hidden_f16 = filled<f16, -infinity>("hidden_f16");
constexpr auto hidden_bf16 = filled<bf16, -infinity>("hidden_bf16");
constexpr auto filled_f16 = filled<f16, -1e9>("filled_f16");
constexpr auto filled_bf16 = filled<bf16, -1e10>("filled_bf16");

const Kernels &compiled() {
  static const Kernels kernels{&f16_d64,    &f16_d128,    &bf16_d64,          &bf16_d128,
                               &biased_f16, &biased_bf16, &widely_biased_f16, &widely_biased_bf16,
                               &hidden_f16, &hidden_bf16, &filled_f16,        &filled_bf16};
  return kernels;
}

using Kernel = const spec::graph *;

/// Of the kernel's first argument.
dtype typeOf(Kernel kernel) { return kernel->nodes[0].type; }

/// One row for all queries.
Array repeated(int64_t queries, std::vector<double> row, dtype type) {
  std::vector<double> all;
  for (int64_t i = 0; i < queries; ++i)
    all.insert(all.end(), row.begin(), row.end());
  return Array({queries, int64_t(row.size())}, all, type);
}

/// Two keys whose scores are 0, with values 1 and 3, or as given.
std::vector<Array> twoKeys(Kernel kernel, int64_t queries, std::vector<double> values = {1, 3}) {
  const dtype type = typeOf(kernel);
  return {Array::filled({1, 1, queries, 2}, 0, type), Array::random({1, 1, 2, 2}, 1, type),
          Array({1, 1, 2, 1}, values, type)};
}

bool all(const Array &x, double number) {
  for (double element : x.elements())
    if (element != number)
      return false;
  return true;
}

} // namespace
} // namespace heed::cases

// https://github.com/philipturner/metal-flash-attention/issues/8,
// https://github.com/mlc-ai/mlc-llm/issues/1638, https://github.com/NVIDIA/TensorRT-LLM/pull/18044
TEST_CASE("products and scores beyond the range of f16 decide the weights") {
  const auto [kernel, size] = GENERATE(table<Kernel, double>({{&f16_d64, 40},
                                                              {&f16_d128, 256},
                                                              {&f16_d64, 60000},
                                                              {&bf16_d64, 40},
                                                              {&bf16_d128, 256},
                                                              {&bf16_d64, 133120},
                                                              {&bf16_d128, 1e15}}));
  const int64_t queries = GENERATE(1, 4, 50), depth = kernel == &f16_d64 || kernel == &bf16_d64 ? 64 : 128;
  const dtype type = typeOf(kernel);
  Array q = Array::filled({1, 1, queries, depth}, size, type),
        k = Array::filled({1, 1, 2, depth}, size, type);
  const double number = q.at({0, 0, 0, 0}), score = number * number * std::sqrt(double(depth));
  k.fill({0, 0, 1}, 0);
  const auto results = compiled().call(*kernel, {q, k, Array({1, 1, 2, 1}, {7, 3}, type)});
  INFO(kernel->name << ", " << size << ", " << queries << ": " << results[1].at({0, 0, 0, 0}) << " "
                    << results[1].at({0, 0, 0, 1}));
  CHECK(all(results[0], 7));
  CHECK(results[1] == repeated(queries, {1, 0}, type).reshaped({1, 1, queries, 2}));
  for (double element : results[2].elements())
    CHECK(element == Approx(score).epsilon(1e-6));
}

// PyTorch's test_transformers, large bf16
TEST_CASE("one key of large numbers gives its value in bf16") {
  const Array x = Array::filled({1, 1, 1, 64}, 133120, bf16);
  CHECK(x.at({0, 0, 0, 0}) == 133120);
  CHECK(compiled()(bf16_d64, {x, x, x}) == x);
}

// https://github.com/flashinfer-ai/flashinfer/issues/4401
TEST_CASE("scores far below and above any start of a running maximum, with half inputs") {
  const Kernel kernel = GENERATE(as<Kernel>(), &widely_biased_f16, &widely_biased_bf16);
  const double score = GENERATE(-60000.0, 60000.0, -1e6, -3e38, 3e38);
  const int64_t queries = GENERATE(1, 3, 40);
  std::vector<Array> arguments = twoKeys(kernel, queries);
  arguments.push_back(repeated(queries, {score, score}, f32));
  const auto results = compiled().call(*kernel, arguments);
  CHECK(all(results[0], 2));
  for (double element : results[2].elements())
    CHECK(element == Approx(score + std::log(2.0)).epsilon(1e-6));
}

// https://github.com/huggingface/transformers/issues/18185
TEST_CASE("no bias of f16 brings a hidden key back") {
  const Kernel kernel = GENERATE(as<Kernel>(), &hidden_f16, &hidden_bf16);
  const double bias = GENERATE(65504.0, double(INFINITY), double(NAN));
  const int64_t queries = GENERATE(1, 3, 40);
  std::vector<Array> arguments = twoKeys(kernel, queries, {5, 60000});
  arguments.insert(arguments.end(),
                   {repeated(queries, {-60000, bias}, typeOf(kernel)), repeated(queries, {1, 0}, b8)});
  CHECK(all(compiled()(*kernel, arguments), 5));
}

// https://github.com/NVIDIA/apex/issues/1105, https://github.com/google/flax/issues/982
TEST_CASE("a fill that f16 can't hold hides beside other scores and averages alone") {
  const Kernel kernel = GENERATE(as<Kernel>(), &filled_f16, &filled_bf16);
  const int64_t queries = GENERATE(1, 40);
  const dtype type = typeOf(kernel);
  std::vector<Array> arguments = twoKeys(kernel, queries);
  const Array none = repeated(queries, {0, 0}, type);
  arguments.insert(arguments.end(), {none, repeated(queries, {1, 0}, b8)});
  auto results = compiled().call(*kernel, arguments);
  CHECK(all(results[0], 1));
  CHECK(results[1] == repeated(queries, {1, 0}, type).reshaped({1, 1, queries, 2}));
  arguments[4] = repeated(queries, {0, 0}, b8);
  results = compiled().call(*kernel, arguments);
  CHECK(all(results[0], 2));
  CHECK(results[1] == repeated(queries, {0.5, 0.5}, type).reshaped({1, 1, queries, 2}));
}

// https://github.com/jax-ml/jax/issues/32242
TEST_CASE("a bias of f32 keeps its digits beside half inputs") {
  const Kernel kernel = GENERATE(as<Kernel>(), &widely_biased_f16, &widely_biased_bf16);
  const int64_t queries = GENERATE(1, 3, 40);
  const float bias = 300.02f; // 300 in both types
  std::vector<Array> arguments = twoKeys(kernel, queries);
  arguments.push_back(repeated(queries, {300, bias}, f32));
  const double weight = 1 / (1 + std::exp(300 - double(bias)));
  const Array weights = compiled().call(*kernel, arguments)[1];
  for (int64_t i = 0; i < queries; ++i)
    CHECK(weights.at({0, 0, i, 1}) == Approx(weight).epsilon(1e-6));
}

// https://github.com/ggml-org/llama.cpp/issues/24984
TEST_CASE("scores are sums in f32") {
  const Kernel kernel = GENERATE(as<Kernel>(), &f16_d128, &bf16_d128);
  const int64_t queries = GENERATE(1, 3, 40);
  const dtype type = typeOf(kernel);
  const double number = 1 + 0x1p-7; // its square has no place in either type, nor has a sum of 128
  const Array q = Array::filled({1, 1, queries, 128}, number, type),
              k = Array::filled({1, 1, 1, 128}, number, type),
              lse = compiled().call(*kernel, {q, k, Array::filled({1, 1, 1, 1}, 1, type)})[2];
  for (double element : lse.elements())
    CHECK(element == Approx(number * number * std::sqrt(128.0)).epsilon(1e-6));
}

TEST_CASE("half and double precision are not mixed silently") {
  RuntimeKernel product("refused", [](graph &g) {
    operands x = inputs(g, bf16);
    g.output("y", matmul(x.q, transpose(g.input("other", f64, {batch, heads, keys, depth}))));
  });
  CHECK(product.error().find("f64") != std::string::npos);
  CHECK(product.error().find("bf16") != std::string::npos);
}

// https://github.com/halide/Halide/issues/8309
TEST_CASE("a bias of -infinity hides in every type") {
  const Kernel kernel =
      GENERATE(as<Kernel>(), &biased_f16, &biased_bf16, &widely_biased_f16, &widely_biased_bf16);
  const int64_t queries = GENERATE(1, 3, 40);
  const dtype biasType = kernel == &biased_f16 ? f16 : kernel == &biased_bf16 ? bf16 : f32;
  std::vector<Array> arguments = twoKeys(kernel, queries, {5, NAN});
  arguments.push_back(repeated(queries, {-60000, -INFINITY}, biasType));
  CHECK(all(compiled()(*kernel, arguments), 5));
  arguments[3] = repeated(queries, {-INFINITY, -INFINITY}, biasType);
  CHECK(all(compiled()(*kernel, arguments), 0));
}
