// The error of half precision: at most twice that of the same computation in eager f32, rounded to the type.
#include "Kernels.h"
#include "Reference/Symbols.h"
#include "naive.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr extent instances{"instances"}, tokens{"tokens"}, others{"others"}, inner{"inner"}, outer{"outer"};

/// The types of q (and of the output), k and v.
template <dtype q, dtype k, dtype v> constexpr auto attending(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor x = g.input("q", q, {1, instances, tokens, inner});
                  tensor scores = matmul(x, transpose(g.input("k", k, {1, instances, others, inner})));
                  tensor weights = softmax(scores);
                  g.output("y", matmul(weights, g.input("v", v, {1, instances, others, outer})));
                }};
}
constexpr auto attend_f16 = attending<f16, f16, f16>("attend_f16");
constexpr auto attend_bf16 = attending<bf16, bf16, bf16>("attend_bf16");
constexpr auto attend_bf16_f16 = attending<bf16, f16, f16>("attend_bf16_f16");
constexpr auto attend_f16_bf16 = attending<f16, f16, bf16>("attend_f16_bf16");
constexpr auto attend_bf16_f32 = attending<bf16, bf16, f32>("attend_bf16_f32");
constexpr auto attend_f32_bf16 = attending<f32, bf16, bf16>("attend_f32_bf16");
constexpr auto attend_f32_f16 = attending<f32, f16, f16>("attend_f32_f16");

/// The types of x (and of the output) and of the weight.
template <dtype x, dtype w> constexpr auto projecting(const char *name) {
  return kernel{name, [](graph &g) {
                  g.output("y", linear(g.input("x", x, {tokens, inner}), g.weight("w", w, {outer, inner}),
                                       g.weight("b", w, {outer})));
                }};
}
constexpr auto project_f16 = projecting<f16, f16>("project_f16");
constexpr auto project_bf16 = projecting<bf16, bf16>("project_bf16");
constexpr auto project_f16_bf16 = projecting<f16, bf16>("project_f16_bf16");
constexpr auto project_bf16_f32 = projecting<bf16, f32>("project_bf16_f32");
constexpr auto project_f32_bf16 = projecting<f32, bf16>("project_f32_bf16");

const Kernels &compiled() {
  static const Kernels kernels{&attend_f16,      &attend_bf16,      &attend_bf16_f16,  &attend_f16_bf16,
                               &attend_bf16_f32, &attend_f32_bf16,  &attend_f32_f16,   &project_f16,
                               &project_bf16,    &project_f16_bf16, &project_bf16_f32, &project_f32_bf16};
  return kernels;
}

using Kernel = const spec::graph *;

Array widened(const Array &x) { return Array(x.shape(), x.elements(), f64); }

std::vector<float> floats(const Array &x) {
  const std::vector<double> elements = x.elements();
  return {elements.begin(), elements.end()};
}

/// softmax(q kᵀ) v, step by step in f32, rounded to q's type.
Array eagerAttention(const Array &q, const Array &k, const Array &v) {
  const int64_t heads = q.shape()[1], m = q.shape()[2], d = q.shape()[3], n = k.shape()[2], e = v.shape()[3];
  const std::vector<float> qs = floats(q), ks = floats(k), vs = floats(v);
  std::vector<double> y;
  std::vector<float> weights(n);
  for (int64_t row = 0; row < heads * m; ++row) {
    const int64_t head = row / m;
    float largest = -INFINITY, sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      weights[j] = 0;
      for (int64_t at = 0; at < d; ++at)
        weights[j] += qs[row * d + at] * ks[(head * n + j) * d + at];
      largest = std::max(largest, weights[j]);
    }
    for (float &weight : weights)
      sum += weight = std::exp(weight - largest);
    for (int64_t x = 0; x < e; ++x) {
      float output = 0;
      for (int64_t j = 0; j < n; ++j)
        output += weights[j] / sum * vs[(head * n + j) * e + x];
      y.push_back(output);
    }
  }
  return Array({1, heads, m, e}, y, q.host().type);
}

/// x wᵀ + b in one type, rounded to x's.
template <class T> Array product(const Array &x, const Array &w, const Array &b, dtype type) {
  const int64_t rows = x.shape()[0], depth = x.shape()[1], columns = w.shape()[0];
  const std::vector<double> xs = x.elements(), ws = w.elements(), bs = b.elements();
  std::vector<double> y;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      T sum = 0;
      for (int64_t at = 0; at < depth; ++at)
        sum += T(xs[row * depth + at]) * T(ws[column * depth + at]);
      y.push_back(sum + T(bs[column]));
    }
  return Array({rows, columns}, y, type);
}

/// The largest error, and the root of the mean of their squares.
struct Errors {
  double largest = 0, mean = 0;
  Errors(const Array &got, const Array &exact) {
    const std::vector<double> a = got.elements(), b = exact.elements();
    REQUIRE(a.size() == b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      const double error = std::isnan(a[i]) ? INFINITY : std::abs(a[i] - b[i]);
      largest = std::max(largest, error);
      mean += error * error;
    }
    mean = std::sqrt(mean / double(a.size()));
  }
};

void checkTwice(const Errors &ours, const Errors &eager) {
  INFO("largest " << ours.largest << ", eagerly " << eager.largest << "; mean " << ours.mean << ", eagerly "
                  << eager.mean);
  CHECK(ours.largest <= 2 * eager.largest);
  CHECK(ours.mean <= 2 * eager.mean);
}

} // namespace
} // namespace heed::cases

TEST_CASE("attention errs at most twice as much as eager f32, rounded") {
  const Kernel kernel = GENERATE(as<Kernel>(), &attend_f16, &attend_bf16, &attend_bf16_f16, &attend_f16_bf16,
                                 &attend_bf16_f32, &attend_f32_bf16, &attend_f32_f16);
  struct Sizes {
    int64_t queries, keys, depth, width;
  };
  const Sizes s = GENERATE(Sizes{1, 1, 64, 64}, Sizes{1, 1500, 64, 64}, Sizes{1, 130, 128, 128},
                           Sizes{5, 33, 24, 40}, Sizes{40, 129, 80, 80}, Sizes{150, 66, 128, 128},
                           Sizes{70, 1100, 64, 64}, Sizes{70, 300, 20, 7});
  INFO(kernel->name << ": " << s.queries << " x " << s.keys << ", " << s.depth << ", " << s.width);
  const auto type = [&](int argument) {
    return kernel->nodes[heed::reference::argumentNodes(*kernel)[argument]].type;
  };
  const Array q = Array::random({1, 2, s.queries, s.depth}, 1, type(0)),
              k = Array::random({1, 2, s.keys, s.depth}, 2, type(1)),
              v = Array::random({1, 2, s.keys, s.width}, 3, type(2));
  const Array exact = naive(widened(q), widened(k), widened(v), 1);
  checkTwice(Errors(compiled()(*kernel, {q, k, v}), exact), Errors(eagerAttention(q, k, v), exact));
}

TEST_CASE("linear errs at most twice as much as eager f32, rounded") {
  const Kernel kernel = GENERATE(as<Kernel>(), &project_f16, &project_bf16, &project_f16_bf16,
                                 &project_bf16_f32, &project_f32_bf16);
  struct Sizes {
    int64_t rows, inputs, outputs;
  };
  const Sizes s = GENERATE(Sizes{1, 64, 64}, Sizes{1, 2048, 33}, Sizes{5, 512, 80}, Sizes{40, 77, 129},
                           Sizes{150, 512, 96}, Sizes{70, 3000, 40});
  INFO(kernel->name << ": " << s.rows << ", " << s.inputs << " to " << s.outputs);
  const auto type = [&](int argument) {
    return kernel->nodes[heed::reference::argumentNodes(*kernel)[argument]].type;
  };
  const Array x = Array::random({s.rows, s.inputs}, 1, type(0)),
              w = Array::random({s.outputs, s.inputs}, 2, type(1)),
              b = Array::random({s.outputs}, 3, type(1));
  const Array exact = product<double>(x, w, b, f64);
  checkTwice(Errors(compiled()(*kernel, {x, w, b}), exact), Errors(product<float>(x, w, b, type(0)), exact));
}
