// Batches of different lengths, caches, values of another size, ALiBi.
#include "Kernels.h"
#include "attention_kernels.hpp"
#include "naive.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr kernel padded{"padded", [](graph &g) {
                          operands x = inputs(g);
                          g.output("y", attend(x, {.mask = padding(g.input("lengths", i64, {batch}))}));
                        }};

/// The last rows of the keys' tokens.
constexpr kernel cached{"cached", [](graph &g) {
                          g.output("y", attend(inputs(g), {.mask = causal_bottom_right(queries, keys)}));
                        }};
/// A cache in a buffer that is longer than what it holds: query 0 is token `past`.
constexpr kernel in_buffer{"in_buffer", [](graph &g) {
                             operands x = inputs(g);
                             g.output("y", attend(x, {.mask = causal_from(g.scalar("past", i64))}));
                           }};

constexpr kernel other_width{"other_width", [](graph &g) {
                               g.output("y", attention(g.input("q", f32, {8, 4, queries, 32}),
                                                       g.input("k", f32, {8, 1, keys, 32}),
                                                       g.input("v", f32, {8, 1, keys, 24})));
                             }};

template <int count> constexpr auto slopes_of(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor q = g.input("q", f32, {batch, count, queries, depth}),
                         k = g.input("k", f32, {batch, count, keys, depth});
                  g.output("scores", score_mod(matmul(q, transpose(k)), alibi()));
                }};
}
constexpr auto slopes_of_8 = slopes_of<8>("slopes_of_8");
constexpr auto slopes_of_12 = slopes_of<12>("slopes_of_12");

const Kernels &compiled() {
  static const Kernels kernels{&padded, &cached, &in_buffer, &other_width, &slopes_of_8, &slopes_of_12};
  return kernels;
}

/// The slopes of all heads: scores of zeros, one token away.
std::vector<double> slopesOf(const spec::graph &kernel, int64_t heads) {
  Array zeros = Array::filled({1, heads, 2, 1}, 0);
  Array scores = compiled()(kernel, {zeros, zeros});
  std::vector<double> slopes;
  for (int64_t h = 0; h < heads; ++h) {
    CHECK(scores.at({0, h, 0, 0}) == 0);
    slopes.push_back(-scores.at({0, h, 1, 0}));
  }
  return slopes;
}

} // namespace
} // namespace heed::cases

// https://github.com/jax-ml/jax/issues/23349, https://github.com/Tencent-Hunyuan/HunyuanVideo/issues/310
TEST_CASE("nothing behind a length changes anything") {
  constexpr int64_t batch = 8, keys = 128;
  int64_t queries = GENERATE(1, 7, 128);
  Array q = Array::random({batch, 2, queries, 8}, 1), k = Array::random({batch, 2, keys, 8}, 2),
        v = Array::random({batch, 2, keys, 8}, 3);
  Array lengths({batch}, {24, 125, 64, 65, 100, 31, 32, 128}, spec::dtype::i64);
  Array y = compiled()(padded, {q, k, v, lengths});
  CHECK(difference(y, naive(q, k, v, 1, [&](double s, const Position &at) {
                     return at.k < lengths.at({at.b}) ? s : -INFINITY;
                   })) < 2e-6);
  for (double spoilt : {0.0, 1e30, double(NAN)}) {
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t h = 0; h < 2; ++h)
        for (int64_t n = int64_t(lengths.at({b})); n < keys; ++n) {
          k.fill({b, h, n}, spoilt);
          v.fill({b, h, n}, spoilt);
        }
    CHECK(compiled()(padded, {q, k, v, lengths}) == y);
  }
}

// https://github.com/sgl-project/sglang/issues/15757,
// https://github.com/Dao-AILab/flash-attention/issues/1228
TEST_CASE("rows of padding hold anything and leave real rows exact") {
  Array q = Array::random({1, 1, 24, 8}, 1), k = Array::random({1, 1, 24, 8}, 2),
        v = Array::random({1, 1, 24, 8}, 3);
  Array length({1}, {21}, spec::dtype::i64);
  Array clean = compiled()(padded, {q, k, v, length});
  for (int64_t i = 21; i < 24; ++i) {
    q.fill({0, 0, i}, NAN);
    k.fill({0, 0, i}, NAN);
    v.fill({0, 0, i}, NAN);
  }
  Array y = compiled()(padded, {q, k, v, length});
  CHECK(y.slice(2, 0, 21) == clean.slice(2, 0, 21));
}

// https://github.com/microsoft/onnxruntime-genai/issues/2354, https://github.com/meta-llama/llama/issues/900
TEST_CASE("a sequence in any pieces is one causal call") {
  constexpr int64_t tokens = 10;
  Array q = Array::random({2, 2, tokens, 8}, 1), k = Array::random({2, 2, tokens, 8}, 2),
        v = Array::random({2, 2, tokens, 8}, 3);
  Array whole = compiled()(cached, {q, k, v});
  auto pieces = GENERATE(std::vector<int64_t>{9, 1}, std::vector<int64_t>{4, 3, 3},
                         std::vector<int64_t>(10, 1), std::vector<int64_t>{10});
  // Slots of the cache that are not written yet.
  Array bufferK = Array::filled({2, 2, 16, 8}, NAN), bufferV = bufferK;
  int64_t past = 0;
  for (int64_t count : pieces) {
    Array piece = q.slice(2, past, count), expected = whole.slice(2, past, count);
    CHECK(difference(compiled()(cached, {piece, k.slice(2, 0, past + count), v.slice(2, 0, past + count)}),
                     expected) < 1e-6);
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t h = 0; h < 2; ++h)
        for (int64_t n = past; n < past + count; ++n)
          for (int64_t d = 0; d < 8; ++d) {
            bufferK.set({b, h, n, d}, k.at({b, h, n, d}));
            bufferV.set({b, h, n, d}, v.at({b, h, n, d}));
          }
    CHECK(difference(
              compiled()(in_buffer, {piece, bufferK, bufferV, Array::scalar(double(past), spec::dtype::i64)}),
              expected) < 1e-6);
    past += count;
  }
}

// https://github.com/pytorch/pytorch/issues/27623
TEST_CASE("values of another size than keys, and one head for four") {
  auto [queries, keys] = GENERATE(std::pair(1, 36), std::pair(40, 36));
  Array q = Array::random({8, 4, queries, 32}, 1), k = Array::random({8, 1, keys, 32}, 2),
        v = Array::random({8, 1, keys, 24}, 3);
  Array y = compiled()(other_width, {q, k, v});
  REQUIRE(y.shape() == heed::tests::Shape{8, 4, queries, 24});
  CHECK(difference(y, naive(q, k, v, 1 / std::sqrt(32.0))) < 2e-6);
}

// https://github.com/ml-explore/mlx/issues/343, https://github.com/paiml/aprender/issues/2143
TEST_CASE("slopes of ALiBi, also of heads that are no power of two") {
  std::vector<double> eight = slopesOf(slopes_of_8, 8), twelve = slopesOf(slopes_of_12, 12);
  for (int h = 0; h < 8; ++h) {
    CHECK(eight[h] == Approx(std::pow(2, -(h + 1))));
    CHECK(twelve[h] == Approx(std::pow(2, -(h + 1))));
  }
  for (int h = 8; h < 12; ++h)
    CHECK(twelve[h] == Approx(std::pow(2, -(h - 8) - 0.5)));
}
