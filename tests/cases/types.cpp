// Element types that do not fit together, those that do, and the two that scores are computed in.
#include "Kernels.h"
#include "RuntimeKernel.h"
#include "attention_kernels.hpp"
#include "naive.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <span>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::denseView;
using heed::tests::difference;
using heed::tests::Kernels;
using heed::tests::RuntimeKernel;
using heed::tests::Shape;

namespace heed::cases {
namespace {

constexpr kernel dense_f64{"dense_f64", [](graph &g) { g.output("y", attend(inputs(g, f64))); }};

/// A mask of numbers: zeros hide.
template <dtype type> constexpr auto masked_by(const char *name) {
  return kernel{name, [](graph &g) {
                  operands x = inputs(g);
                  g.output("y", attend(x, {.mask = g.input("visible", type, {batch, 1, queries, keys})}));
                }};
}
constexpr auto masked_by_i32 = masked_by<i32>("masked_by_i32");
constexpr auto masked_by_i64 = masked_by<i64>("masked_by_i64");
constexpr auto masked_by_f32 = masked_by<f32>("masked_by_f32");

const Kernels &compiled() {
  static const Kernels kernels{&dense_f64, &masked_by_i32, &masked_by_i64, &masked_by_f32};
  return kernels;
}

inline constexpr extent rows{"rows"}, n{"n"};

/// Every operation along rows and by element, with parameters of types of their own.
template <dtype type, dtype gain_type, dtype bias_type> constexpr auto along_rows(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor x = g.input("x", type, {rows, n}), other = g.input("other", gain_type, {rows, n});
                  tensor gain = g.weight("gain", gain_type, {n}), bias = g.weight("bias", bias_type, {n});
                  g.output("layer", layer_norm(x, gain, bias));
                  g.output("rms", rms_norm(x, gain));
                  g.output("weights", softmax(x));
                  g.output("lse", log_sum_exp(x));
                  g.output("total", sum(x));
                  g.output("average", mean(x));
                  g.output("largest", amax(x));
                  g.output("where_largest", argmax(x));
                  g.output("combined", convert(x * other + bias, type));
                  g.output("chosen", where(x > other, x, other));
                  g.output("activated", gelu(x));
                  g.output("dropped", dropout(x, 0.25, g.scalar("seed", i64)));
                  g.output("converted", convert(x, bias_type));
                  g.output("transposed", transpose(convert(x, gain_type)));
                }};
}
constexpr auto rows_f32 = along_rows<f32, f32, f32>("rows_f32");
constexpr auto rows_bf16 = along_rows<bf16, f32, f16>("rows_bf16");
constexpr auto rows_f16 = along_rows<f16, f16, bf16>("rows_f16");
constexpr auto rows_mixed = along_rows<f32, bf16, f16>("rows_mixed");

/// Products, the words of embeddings, and caches whose rows come in other types.
template <dtype type, dtype table_type, dtype cache_type> constexpr auto along_tokens(const char *name) {
  return kernel{
      name, [](graph &g) {
        tensor x = embedding(g.input("ids", i32, {batch, rows}), g.weight("table", table_type, {n, 24}));
        tensor turned = rotary(split_heads(convert(x, type), 2), g.input("cos", table_type, {batch, rows, 6}),
                               g.input("sin", f32, {batch, rows, 6}));
        tensor position = g.scalar("position", i64), k = g.input("cache", cache_type, {batch, 2, keys, 12});
        tensor y = attention(turned, k, k, {.mask = causal_from(position)});
        tensor joined = merge_heads(y);
        g.output("turned", turned);
        g.output("y", y);
        g.output("next", linear(joined, g.weight("w", table_type, {20, 24}), g.weight("b", f32, {20})));
        g.output("product", matmul(turned, transpose(g.input("right", cache_type, {batch, 2, 7, 12}))));
      }};
}
constexpr auto tokens_f32 = along_tokens<f32, f32, f32>("tokens_f32");
constexpr auto tokens_bf16 = along_tokens<bf16, bf16, bf16>("tokens_bf16");
constexpr auto tokens_f16 = along_tokens<f16, bf16, f16>("tokens_f16");
constexpr auto tokens_wide = along_tokens<f32, f16, bf16>("tokens_wide");

const Kernels &typed() {
  static const Kernels kernels{&rows_f32,   &rows_bf16,   &rows_f16,   &rows_mixed,
                               &tokens_f32, &tokens_bf16, &tokens_f16, &tokens_wide};
  return kernels;
}

double roundoff(dtype type) { return type == f16 ? 0x1p-11 : type == bf16 ? 0x1p-8 : 0x1p-24; }

/// The same numbers as a kernel has them that takes them in other types.
std::vector<Array> inTypesOf(const spec::graph &kernel, const std::vector<Array> &arguments) {
  std::vector<Array> list;
  for (const spec::node &node : std::span(kernel.nodes, size_t(kernel.node_count)))
    if (node.kind <= spec::op::state) {
      const Array &argument = arguments[list.size()];
      list.emplace_back(argument.shape(), argument.elements(), node.type);
    }
  return list;
}

/// Numbers that every floating type holds, since they have few digits.
Array few(Shape shape, unsigned seed, double largest = 4) {
  std::vector<double> numbers;
  for (double element : Array::random(shape, seed).elements())
    numbers.push_back(std::nearbyint(element * 32) / 32 * largest);
  return Array(shape, numbers);
}

} // namespace
} // namespace heed::cases

// https://github.com/jax-ml/jax/issues/32242
TEST_CASE("mixed element types are refused where they are written") {
  RuntimeKernel product("refused", [](graph &g) {
    operands x = inputs(g);
    g.output("y", matmul(x.q, transpose(g.input("other", f64, {batch, heads, keys, depth}))));
  });
  CHECK(product.error().find("left is f32, right is f64, one floating type is needed") != std::string::npos);
  RuntimeKernel sum("refused", [](graph &g) {
    operands x = inputs(g);
    g.output("y", matmul(x.q, transpose(x.k)) + g.input("bias", f64, {queries, keys}));
  });
  CHECK(sum.error().find("f64") != std::string::npos);
}

// https://github.com/ggml-org/llama.cpp/issues/24984
TEST_CASE("double precision is double precision in every family") {
  int64_t queries = GENERATE(1, 5, 70);
  Array q = Array::random({2, 1, queries, 40}, 1, f64), k = Array::random({2, 1, 300, 40}, 2, f64),
        v = Array::random({2, 1, 300, 24}, 3, f64);
  CHECK(difference(compiled()(dense_f64, {q, k, v}), naive(q, k, v, 1)) < 1e-13);
}

TEST_CASE("operations of 16-bit types are those of f32, rounded once") {
  const spec::graph &kernel = *GENERATE(as<const spec::graph *>(), &rows_bf16, &rows_f16, &rows_mixed);
  const int64_t count = GENERATE(1, 7, 40, 100);
  std::vector<Array> arguments = {few({5, count}, 1), few({5, count}, 2), few({count}, 3), few({count}, 4),
                                  Array::scalar(11, i64)};
  const auto wide = typed().call(rows_f32, arguments);
  const auto half = typed().call(kernel, inTypesOf(kernel, arguments));
  for (size_t i = 0; i < half.size(); ++i) {
    INFO(kernel.outputs[i].name << " of " << count);
    const dtype type = half[i].host().type;
    CHECK(type == kernel.nodes[kernel.outputs[i].node].type);
    const std::vector<double> got = half[i].elements(), exact = wide[i].elements();
    for (size_t j = 0; j < got.size(); ++j)
      if (type != i32)
        CHECK(std::abs(got[j] - exact[j]) <= 1.01 * roundoff(type) * std::abs(exact[j]) + 1e-6);
      else
        CHECK(got[j] == exact[j]);
  }
}

TEST_CASE("tables, caches, weights and products have types of their own") {
  const spec::graph &kernel = *GENERATE(as<const spec::graph *>(), &tokens_bf16, &tokens_f16, &tokens_wide);
  const int64_t rows = GENERATE(1, 6, 40), keys = rows + 9, position = 4;
  std::vector<double> ids;
  for (int64_t i = 0; i < 2 * rows; ++i)
    ids.push_back(double(i * 5 % 13 - 1));
  std::vector<Array> arguments = {Array({2, rows}, ids, i32),
                                  few({11, 24}, 1, 1),
                                  few({2, rows, 6}, 2, 1),
                                  few({2, rows, 6}, 3, 1),
                                  Array::scalar(double(position), i64),
                                  few({2, 2, keys, 12}, 4, 1),
                                  few({20, 24}, 5, 1),
                                  few({20}, 6, 1),
                                  few({2, 2, 7, 12}, 7, 1)};
  const auto wide = typed().call(tokens_f32, arguments);
  const auto half = typed().call(kernel, inTypesOf(kernel, arguments));
  // Between the operations tensors are rounded to their types, and weights to the type of the values.
  const double u = kernel.nodes == tokens_f16.nodes ? 0x1p-8 : 0x1p-7;
  for (size_t i = 0; i < half.size(); ++i) {
    INFO(kernel.outputs[i].name << " of " << rows);
    CHECK(half[i].host().type == kernel.nodes[kernel.outputs[i].node].type);
    CHECK(difference(half[i], wide[i]) < 8 * u);
  }
}

TEST_CASE("rows are appended in the type of the cache") {
  RuntimeKernel made("appended", [](graph &g) {
    tensor cache = g.state("cache", bf16, {4, 2}), x = g.input("x", f32, {2, 2});
    g.output("total", sum(append(cache, x * 2, g.scalar("position", i64), 0)));
  });
  const Kernels kernels{made.data()};
  std::vector<uint16_t> cache = {0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0, 0x40e0, 0x4100}, total(4);
  // 133122 is nearest to 133120, and twice -1.7e38 beyond the range of bf16, not of f32.
  std::vector<float> rows = {0.5f, 66561, NAN, -1.7e38f};
  int64_t position = 1;
  const heed_view views[] = {denseView(cache.data(), bf16, {4, 2}), denseView(rows.data(), f32, {2, 2}),
                             denseView(&position, i64, {}), denseView(total.data(), bf16, {4})};
  CHECK(kernels.library().call("appended", views) == "");
  CHECK(cache == std::vector<uint16_t>{0x3f80, 0x4000, 0x3f80, 0x4802, 0x7fc0, 0xff80, 0x40e0, 0x4100});
  CHECK(total == std::vector<uint16_t>{0x4040, 0x4802, 0x7fc0, 0x4170});
}

// https://github.com/halide/Halide/issues/8309
TEST_CASE("what f16 can't hold becomes infinite where it is stored, and only there") {
  RuntimeKernel made("stored", [](graph &g) {
    tensor x = g.input("x", f16, {4});
    g.output("doubled", x * 2);
    g.output("returned", x * 2 / 2);
    g.output("narrowed", convert(g.input("wide", f32, {5}), f16));
  });
  const Kernels kernels{made.data()};
  const auto results = kernels.call(*made.data(), {Array({4}, {40000, -65504, 32752, INFINITY}, f16),
                                                   Array({5}, {65519.9, 65520, -1e30, -INFINITY, NAN})});
  CHECK(results[0].elements() == std::vector<double>{INFINITY, -INFINITY, 65504, INFINITY});
  CHECK(results[1].elements() == std::vector<double>{40000, -65504, 32752, INFINITY});
  CHECK(results[2] == Array({5}, {65504, INFINITY, -INFINITY, -INFINITY, NAN}, f16));
}

TEST_CASE("arguments of another type than the kernel's are refused") {
  Array x = Array::random({1, 1, 3, 4}, 1);
  CHECK_THROWS_WITH(compiled()(dense_f64, {x, x, x}), Catch::Contains("q: ") && Catch::Contains("f64"));
}

TEST_CASE("masks of numbers hide where they are 0") {
  int64_t queries = GENERATE(1, 5, 70), keys = 21;
  Array q = Array::random({2, 2, queries, 8}, 1), k = Array::random({2, 2, keys, 8}, 2),
        v = Array::random({2, 2, keys, 8}, 3);
  auto mask = [&](dtype type) {
    std::vector<double> numbers;
    for (double element : Array::random({2, 1, queries, keys}, 4).elements())
      numbers.push_back(element < 0 ? 0 : element < 0.5 ? 1 : -3);
    return Array({2, 1, queries, keys}, numbers, type);
  };
  Array numbers = mask(f64);
  Array expected = naive(q, k, v, 1, [&](double score, const Position &at) {
    return numbers.at({at.b, 0, at.q, at.k}) != 0 ? score : -INFINITY;
  });
  CHECK(difference(compiled()(masked_by_i32, {q, k, v, mask(i32)}), expected) < 2e-6);
  CHECK(difference(compiled()(masked_by_i64, {q, k, v, mask(i64)}), expected) < 2e-6);
  CHECK(difference(compiled()(masked_by_f32, {q, k, v, mask(f32)}), expected) < 2e-6);
}
