// Sizes that are no multiples of anything, and sizes of 0.
#include "Kernels.h"
#include "RuntimeKernel.h"
#include "attention_kernels.hpp"
#include "naive.hpp"
#include "small_stack.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;
using heed::tests::leftOutOnDevices;
using heed::tests::RuntimeKernel;

namespace heed::cases {
namespace {

template <int d> constexpr auto fixed_depth(const char *name) {
  return kernel{name, [](graph &g) {
                  g.output("y", attention(g.input("q", f32, {batch, heads, queries, d}),
                                          g.input("k", f32, {batch, heads, keys, d}),
                                          g.input("v", f32, {batch, heads, keys, d}), {.scale = 0.125}));
                }};
}
constexpr auto depth_1 = fixed_depth<1>("depth_1");
constexpr auto depth_3 = fixed_depth<3>("depth_3");
constexpr auto depth_59 = fixed_depth<59>("depth_59");
constexpr auto depth_80 = fixed_depth<80>("depth_80");
constexpr auto depth_111 = fixed_depth<111>("depth_111");

constexpr kernel any_depth{"any_depth", [](graph &g) {
                             operands x = inputs(g);
                             g.output("y", attention(x.q, x.k, x.v, {.scale = 0.125}));
                           }};

/// Packed sequences of different lengths.
constexpr kernel packed{"packed", [](graph &g) {
                          operands x = inputs(g);
                          tensor scores =
                              mask(matmul(x.q, transpose(x.k)), document(g.input("query_ids", i32, {queries}),
                                                                         g.input("key_ids", i32, {keys})));
                          g.output("y", matmul(softmax(scores), x.v));
                          g.output("lse", log_sum_exp(scores));
                        }};

/// A mask and a score program that reads a table by the distance.
constexpr kernel causal_by_distance{
    "causal_by_distance", [](graph &g) {
      operands x = inputs(g);
      tensor table = g.input("table", f32, {queries});
      g.output("y", attend(x, {.score_mod = [&](value s, index, index, index q,
                                                index k) { return s * 0.125 + table[q - k]; },
                               .mask = causal()}));
    }};
constexpr kernel by_distance{"by_distance", [](graph &g) {
                               operands x = inputs(g);
                               tensor table = g.input("table", f32, {extent{"distances"}});
                               g.output("y",
                                        attend(x, {.score_mod = [&](value s, index, index, index q, index k) {
                                                 return s * 0.125 + table[q - k + keys];
                                               }}));
                             }};

const Kernels &compiled() {
  static const Kernels kernels{
      &dense,  &any_depth,          &depth_1,    &depth_3, &depth_59, &depth_80, &depth_111,
      &packed, &causal_by_distance, &by_distance};
  return kernels;
}

} // namespace
} // namespace heed::cases

// https://github.com/flashinfer-ai/flashinfer/issues/5090
TEST_CASE("no lane behind the last key takes a weight") {
  int64_t keys = GENERATE(1, 5, 7, 8, 9, 15, 17, 31, 33, 63, 65, 129);
  int64_t queries = GENERATE(1, 3, 70);
  // Every score is -10: a key of zeros would have nearly all the weight.
  Array q = Array::filled({1, 1, queries, 1}, -10), k = Array::filled({1, 1, keys, 1}, 1),
        v = Array::filled({1, 1, keys, 1}, 1);
  for (double element : compiled()(dense, {q, k, v}).elements())
    CHECK(element == Approx(1));
}

// https://github.com/thu-ml/SageAttention/issues/376
TEST_CASE("lengths that leave a rest in every block, with NaN around the buffers") {
  auto [queries, keys] =
      GENERATE(std::pair(9, 9), std::pair(12, 12), std::pair(1001, 503), std::pair(1, 503));
  Array q = Array::random({1, 1, queries, 24}, 1), k = Array::random({1, 1, keys, 24}, 2),
        v = Array::random({1, 1, keys, 17}, 3);
  CHECK(difference(compiled()(any_depth, {q, k, v}), naive(q, k, v, 0.125)) < 2e-6);
}

// https://github.com/pytorch/pytorch/issues/141219, https://github.com/pytorch/pytorch/issues/141218
TEST_CASE("nothing comes of no tokens") {
  CHECK(compiled()(dense, {Array({7, 7, 0, 7}, {}), Array({7, 7, 0, 7}, {}), Array({7, 7, 0, 7}, {})})
            .elements()
            .empty());
  CHECK(compiled()(dense, {Array({0, 7, 2, 7}, {}), Array({0, 7, 3, 7}, {}), Array({0, 7, 3, 7}, {})})
            .elements()
            .empty());
  Array y =
      compiled()(dense, {Array::random({7, 2, 3, 7}, 1), Array({7, 2, 0, 7}, {}), Array({7, 2, 0, 7}, {})});
  CHECK(y == Array::filled({7, 2, 3, 7}, 0));
}

TEST_CASE("unequal numbers of heads and none at all are refused where they are written") {
  auto refusal = [](int many, int few) {
    RuntimeKernel kernel("refused", [&](heed::graph &g) {
      g.output("y", heed::attention(g.input("q", f32, {7, many, 1, 7}), g.input("k", f32, {7, few, 1, 7}),
                                    g.input("v", f32, {7, few, 1, 7})));
    });
    return kernel.error();
  };
  CHECK(refusal(9, 7).find("9 heads of q do not divide by 7") != std::string::npos);
  CHECK(refusal(7, 0).find("an extent is 0, at least 1 is needed") != std::string::npos);
}

// https://github.com/facebookresearch/xformers/issues/1042,
// https://github.com/Dao-AILab/flash-attention/issues/1713
TEST_CASE("packed sequences without keys give rows of 0 and leave their neighbours alone") {
  // Sequences with 1, 2, 1, 2 queries and 0, 2, 0, 2 keys.
  Array q = Array::filled({1, 2, 6, 68}, 0), k = Array::random({1, 2, 4, 68}, 1),
        v = Array::counted({1, 2, 4, 68});
  Array of_query({6}, {0, 1, 1, 2, 3, 3}, spec::dtype::i32), of_key({4}, {1, 1, 3, 3}, spec::dtype::i32);
  auto results = compiled().call(packed, {q, k, v, of_query, of_key});
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t i : {0, 3}) {
      CHECK(results[1].at({0, h, i}) == -INFINITY);
      for (int64_t e = 0; e < 68; ++e)
        CHECK(results[0].at({0, h, i, e}) == 0);
    }
  for (int64_t i : {1, 2, 4, 5}) {
    CHECK(results[1].at({0, 0, i}) == Approx(std::log(2.0)));
    CHECK(results[0].at({0, 0, i, 5}) == Approx((i > 2 ? 136 : 0) + 34 + 5));
  }
}

// https://github.com/pytorch/pytorch/issues/153799, https://github.com/pytorch/pytorch/issues/159247
TEST_CASE("score programs are evaluated safely behind the last row and key") {
  int64_t size = GENERATE(1, 9, 64, 257);
  Array q = Array::random({1, 2, size, 16}, 1), k = Array::random({1, 2, size, 16}, 2),
        v = Array::random({1, 2, size, 16}, 3);
  Array table = Array::random({size}, 4);
  Array y = compiled()(causal_by_distance, {q, k, v, table});
  CHECK(difference(y, naive(q, k, v, 0.125, [&](double s, const Position &at) {
                     return at.k > at.q ? -INFINITY : s + table.at({at.q - at.k});
                   })) < 2e-6);
}

TEST_CASE("a table by the distance is read between its ends") {
  auto [queries, keys] = GENERATE(std::pair(9, 9), std::pair(100, 70), std::pair(1, 33));
  Array q = Array::random({2, 1, queries, 8}, 1), k = Array::random({2, 1, keys, 8}, 2),
        v = Array::random({2, 1, keys, 8}, 3);
  Array table = Array::random({queries + keys}, 4);
  Array y = compiled()(by_distance, {q, k, v, table});
  int64_t offset = keys;
  CHECK(difference(y, naive(q, k, v, 0.125, [&](double s, const Position &at) {
                     return s + table.at({at.q - at.k + offset});
                   })) < 2e-6);
}

// https://github.com/Dao-AILab/flash-attention/issues/28,
// https://github.com/flashinfer-ai/flashinfer/issues/528
TEST_CASE("every head size works") {
  int64_t d = GENERATE(1, 3, 5, 59, 80, 96, 111, 160, 224, 256);
  int64_t queries = GENERATE(1, 5, 40);
  Array q = Array::random({2, 1, queries, d}, 1), k = Array::random({2, 1, 19, d}, 2),
        v = Array::random({2, 1, 19, d}, 3);
  Array expected = naive(q, k, v, 0.125);
  CHECK(difference(compiled()(any_depth, {q, k, v}), expected) < 1e-5);
  for (const spec::graph *kernel :
       std::initializer_list<const spec::graph *>{&depth_1, &depth_3, &depth_59, &depth_80, &depth_111})
    if (kernel->name == "depth_" + std::to_string(d))
      CHECK(difference(compiled()(*kernel, {q, k, v}), expected) < 1e-5);
}

// https://github.com/iree-org/iree/issues/23304
TEST_CASE("a large head size that only the call knows needs little stack") {
  if (leftOutOnDevices("the driver compiles on the caller's stack, which is small here"))
    return;
  int64_t queries = GENERATE(1, 20, 100);
  Array q = Array::random({1, 1, queries, 1024}, 1), k = Array::random({1, 1, 33, 1024}, 2),
        v = Array::random({1, 1, 33, 1024}, 3);
  Array expected = naive(q, k, v, 0.125), y = expected;
  heed_options serial{1, nullptr, nullptr, nullptr, 0};
  const Kernels &kernels = compiled();
  on_small_stack([&] { y = kernels(any_depth, {q, k, v}, &serial); });
  CHECK(difference(y, expected) < 1e-5);
}
