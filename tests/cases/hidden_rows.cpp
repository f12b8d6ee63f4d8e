// Rows and keys that a mask hides.
#include "Kernels.h"
#include "attention_kernels.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::difference;
using heed::tests::Kernels;

namespace heed::cases {
namespace {

constexpr kernel added{"added", [](graph &g) {
                         operands x = inputs(g);
                         tensor scores = matmul(x.q, transpose(x.k)) + g.input("bias", f32, {queries, keys});
                         g.output("y", matmul(softmax(scores), x.v));
                         g.output("lse", log_sum_exp(scores));
                       }};

constexpr kernel with_weights{"with_weights", [](graph &g) {
                                operands x = inputs(g);
                                tensor visible = g.input("visible", b8, {batch, heads, queries, keys});
                                tensor weights =
                                    softmax(where(visible, matmul(x.q, transpose(x.k)), -infinity));
                                g.output("y", matmul(weights, x.v));
                                g.output("weights", weights);
                              }};

constexpr kernel masked_causal{"masked_causal", [](graph &g) {
                                 operands x = inputs(g);
                                 tensor visible = g.input("visible", b8, {queries, keys});
                                 tensor scores =
                                     where(visible, mask(matmul(x.q, transpose(x.k)), causal()), -infinity);
                                 g.output("y", matmul(softmax(scores), x.v));
                               }};

const Kernels &compiled() {
  static const Kernels kernels{&dense, &masked, &added, &with_weights, &masked_causal};
  return kernels;
}

} // namespace
} // namespace heed::cases

// https://github.com/pytorch/pytorch/issues/103963, https://github.com/openvinotoolkit/openvino/issues/36016
TEST_CASE("a hidden row is 0 and the rows beside it are what they are without it") {
  int64_t row = GENERATE(0, 1, 3);
  int64_t keys = GENERATE(4, 1, 130);
  Array q = Array::random({1, 1, 4, 2}, 1), k = Array::random({1, 1, keys, 2}, 2),
        v = Array::random({1, 1, keys, 2}, 3);
  Array visible = Array::filled({1, 1, 4, keys}, 1, spec::dtype::b8);
  Array all = compiled()(dense, {q, k, v});
  visible.fill({0, 0, row}, 0);
  Array y = compiled()(masked, {q, k, v, visible});
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t e = 0; e < 2; ++e)
      CHECK(y.at({0, 0, i, e}) == Approx(i == row ? 0 : all.at({0, 0, i, e})).margin(1e-6));
}

// https://github.com/pytorch/pytorch/issues/109517
TEST_CASE("a row of the lowest finite float is the mean of the values") {
  double fill = GENERATE(-3.4028234663852886e38, -1e30, -1e9, 1e30);
  Array q = Array::random({1, 1, 3, 4}, 1), k = Array::random({1, 1, 5, 4}, 2),
        v = Array::counted({1, 1, 5, 4});
  Array bias = Array::filled({3, 5}, 0);
  bias.fill({1}, fill);
  auto results = compiled().call(added, {q, k, v, bias});
  for (int64_t e = 0; e < 4; ++e)
    CHECK(results[0].at({0, 0, 1, e}) == Approx(8 + e));
  CHECK(results[1].at({0, 0, 1}) == Approx(fill));
}

// https://github.com/microsoft/onnxruntime/pull/28958
TEST_CASE("the weights of a hidden row are 0 like its output") {
  Array q = Array::filled({1, 1, 2, 1}, 0), k = Array::filled({1, 1, 2, 1}, 0), v({1, 1, 2, 1}, {1, 3});
  auto results = compiled().call(with_weights, {q, k, v, Array({1, 1, 2, 2}, {0, 0, 1, 1}, spec::dtype::b8)});
  CHECK(results[0].elements() == std::vector<double>{0, 2});
  CHECK(results[1].elements() == std::vector<double>{0, 0, 0.5, 0.5});
}

// https://github.com/pytorch/pytorch/issues/160064
TEST_CASE("a hidden head is 0 with and without returned weights") {
  Array q = Array::random({1, 3, 5, 1}, 1), k = Array::random({1, 3, 5, 1}, 2),
        v = Array::random({1, 3, 5, 1}, 3);
  Array visible = Array::filled({1, 3, 5, 5}, 1, spec::dtype::b8);
  visible.fill({0, 2}, 0);
  Array alone = compiled()(masked, {q, k, v, visible});
  auto results = compiled().call(with_weights, {q, k, v, visible});
  CHECK(difference(results[0], alone) < 1e-6);
  for (int64_t i = 0; i < 5; ++i) {
    CHECK(alone.at({0, 2, i, 0}) == 0);
    double sums[3] = {};
    for (int64_t h = 0; h < 3; ++h)
      for (int64_t j = 0; j < 5; ++j)
        sums[h] += results[1].at({0, h, i, j});
    CHECK(sums[0] == Approx(1));
    CHECK(sums[1] == Approx(1));
    CHECK(sums[2] == 0);
  }
}

// https://github.com/pytorch/pytorch/issues/101967
TEST_CASE("what a hidden key and its value hold reaches nothing") {
  double spoilt = GENERATE(double(NAN), 1e10, double(INFINITY), -double(INFINITY));
  Array q = Array::counted({1, 1, 2, 4}), k = q, v = q;
  bool inKey = GENERATE(true, false);
  (inKey ? k : v).fill({0, 0, 1}, spoilt);
  Array y = compiled()(masked, {q, k, v, Array({1, 1, 2, 2}, {1, 0, 1, 0}, spec::dtype::b8)});
  CHECK(y.elements() == std::vector<double>{0, 1, 2, 3, 0, 1, 2, 3});
}

// https://github.com/pytorch/pytorch/issues/141128
TEST_CASE("NaN in every query makes every row NaN, not 0") {
  Array q = Array::filled({2, 4, 16, 8}, NAN), k = Array::random({2, 4, 16, 8}, 2),
        v = Array::random({2, 4, 16, 8}, 3);
  for (double element : compiled()(dense, {q, k, v}).elements())
    REQUIRE(std::isnan(element));
}

// https://github.com/onnx/onnx/pull/8068
TEST_CASE("two masks hide what either hides") {
  Array q = Array::random({1, 1, 2, 3}, 1), k = Array::random({1, 1, 2, 3}, 2), v({1, 1, 2, 1}, {5, 7});
  Array y = compiled()(masked_causal, {q, k, v, Array({2, 2}, {1, 0, 0, 0}, spec::dtype::b8)});
  CHECK(y.elements() == std::vector<double>{5, 0});
}
