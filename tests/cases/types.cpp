// Element types that do not fit together, and the two that scores are computed in.
#include "Kernels.h"
#include "RuntimeKernel.h"
#include "attention_kernels.hpp"
#include "naive.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;
using heed::tests::RuntimeKernel;

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
