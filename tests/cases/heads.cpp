// Groups of heads and their order.
#include "Kernels.h"
#include "RuntimeKernel.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::Kernels;
using heed::tests::RuntimeKernel;

namespace heed::cases {
namespace {

template <int query_heads, int key_heads> constexpr auto grouped(const char *name) {
  return kernel{name, [](graph &g) {
                  g.output("y",
                           attention(g.input("q", f32, {batch, query_heads, queries, depth}),
                                     g.input("k", f32, {batch, key_heads, keys, depth}),
                                     g.input("v", f32, {batch, key_heads, keys, width}), {.scale = 1.0}));
                }};
}
constexpr auto four_to_two = grouped<4, 2>("four_to_two");
constexpr auto six_to_two = grouped<6, 2>("six_to_two");
constexpr auto five_to_one = grouped<5, 1>("five_to_one");

/// A mask with one axis for batch and heads.
constexpr kernel flat_mask{"flat_mask", [](graph &g) {
                             operands x = inputs(g);
                             tensor visible = g.input("visible", b8, {batch * heads, queries, keys});
                             g.output("y", attend(x, {.mask = [&](index b, index h, index q, index k) {
                                                    return visible(b * heads + h, q, k);
                                                  }}));
                           }};

const Kernels &compiled() {
  static const Kernels kernels{&four_to_two, &six_to_two, &five_to_one, &flat_mask};
  return kernels;
}

/// What each query head reads where value head g holds g everywhere.
std::vector<double> sources(const spec::graph &kernel, int64_t queryHeads, int64_t keyHeads,
                            int64_t queries) {
  Array v = Array::filled({2, keyHeads, 3, 1}, 0);
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t g = 0; g < keyHeads; ++g)
      v.fill({b, g}, double(g));
  Array y = compiled()(
      kernel, {Array::random({2, queryHeads, queries, 4}, 1), Array::random({2, keyHeads, 3, 4}, 2), v});
  std::vector<double> result;
  for (int64_t h = 0; h < queryHeads; ++h)
    result.push_back(y.at({1, h, queries - 1, 0}));
  return result;
}

} // namespace
} // namespace heed::cases

// https://github.com/onnx/onnx/issues/7274, https://github.com/ekzhang/jax-js/issues/180
TEST_CASE("heads of a group are neighbours") {
  int64_t queries = GENERATE(1, 5, 70);
  CHECK(sources(four_to_two, 4, 2, queries) == std::vector<double>{0, 0, 1, 1});
  CHECK(sources(six_to_two, 6, 2, queries) == std::vector<double>{0, 0, 0, 1, 1, 1});
  CHECK(sources(five_to_one, 5, 1, queries) == std::vector<double>{0, 0, 0, 0, 0});
}

// https://github.com/fla-org/flash-linear-attention/issues/1029
TEST_CASE("heads that do not divide are refused where they are written") {
  auto [many, few] = GENERATE(std::pair(3, 2), std::pair(33, 2), std::pair(2, 3));
  RuntimeKernel kernel("refused", [&, many = many, few = few](heed::graph &g) {
    g.output("y", heed::attention(g.input("q", f32, {1, many, 4, 8}), g.input("k", f32, {1, few, 4, 8}),
                                  g.input("v", f32, {1, few, 4, 8})));
  });
  CAPTURE(many, few, kernel.error());
  CHECK(kernel.error().find("heads of q do not divide by " + std::to_string(few)) != std::string::npos);
}

// https://github.com/line/lighthouse/issues/77, https://github.com/pytorch/pytorch/issues/97605
TEST_CASE("a mask of batch times heads has the heads of one sample side by side") {
  int64_t batch = GENERATE(1, 2, 3), queries = GENERATE(1, 5, 40);
  constexpr int64_t heads = 2, keys = 6;
  Array visible = Array::filled({batch * heads, queries, keys}, 0, spec::dtype::b8);
  // Entry i sees its first i + 1 keys.
  for (int64_t i = 0; i < batch * heads; ++i)
    for (int64_t q = 0; q < queries; ++q)
      for (int64_t k = 0; k <= i; ++k)
        visible.set({i, q, k}, 1);
  Array v = Array::filled({batch, heads, keys, 1}, 0);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t k = 0; k < keys; ++k)
        v.set({b, h, k, 0}, double(k));
  Array y = compiled()(flat_mask, {Array::filled({batch, heads, queries, 3}, 0),
                                   Array::random({batch, heads, keys, 3}, 1), v, visible});
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      CHECK(y.at({b, h, queries - 1, 0}) == Approx((b * heads + h) / 2.0));
}
