// Strides, slices of packed buffers, alignment, broadcast masks.
#include "Kernels.h"
#include "attention_kernels.hpp"
#include "naive.hpp"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::cases;
using heed::tests::Array;
using heed::tests::denseView;
using heed::tests::difference;
using heed::tests::Kernels;
using heed::tests::Shape;

namespace heed::cases {
namespace {

/// 16 heads of queries share one head of keys and values; tokens come first in memory.
constexpr kernel shared_head{"shared_head", [](graph &g) {
                               tensor q = permute(g.input("q", f32, {queries, batch, 16, 64}), {1, 2, 0, 3}),
                                      k = permute(g.input("k", f32, {keys, batch, 1, 64}), {1, 2, 0, 3}),
                                      v = permute(g.input("v", f32, {keys, batch, 1, 64}), {1, 2, 0, 3});
                               g.output("y", permute(attention(q, k, v), {2, 0, 1, 3}));
                             }};

template <bool b, bool h, bool q, bool k> constexpr auto broadcast_mask(const char *name) {
  return kernel{name, [](graph &g) {
                  operands x = inputs(g);
                  tensor visible = g.input("visible", b8,
                                           {b ? batch : extent(1), h ? heads : extent(1),
                                            q ? queries : extent(1), k ? keys : extent(1)});
                  g.output("y", attend(x, {.mask = visible}));
                }};
}
constexpr auto mask_bk = broadcast_mask<true, false, false, true>("mask_bk");
constexpr auto mask_bqk = broadcast_mask<true, false, true, true>("mask_bqk");
constexpr auto mask_hqk = broadcast_mask<false, true, true, true>("mask_hqk");
constexpr auto mask_none = broadcast_mask<false, false, false, false>("mask_none");

constexpr kernel bias_bqk{"bias_bqk", [](graph &g) {
                            operands x = inputs(g);
                            tensor scores =
                                matmul(x.q, transpose(x.k)) + g.input("bias", f32, {batch, 1, queries, keys});
                            g.output("y", matmul(softmax(scores), x.v));
                          }};
/// Three axes: heads, 1, keys.
constexpr kernel bias_hk{"bias_hk", [](graph &g) {
                           operands x = inputs(g);
                           tensor scores =
                               matmul(x.q, transpose(x.k)) + g.input("bias", f32, {heads, 1, keys});
                           g.output("y", matmul(softmax(scores), x.v));
                         }};
constexpr kernel bias_number{
    "bias_number", [](graph &g) {
      operands x = inputs(g);
      g.output("y", sigmoid_attention(x.q, x.k, x.v, {.scale = 1.0, .bias = g.scalar("bias", f32)}));
    }};

const Kernels &compiled() {
  static const Kernels kernels{&dense,    &masked,    &shared_head, &mask_bk, &mask_bqk,
                               &mask_hqk, &mask_none, &bias_bqk,    &bias_hk, &bias_number};
  return kernels;
}

std::string callViews(const spec::graph &kernel, std::vector<heed_view> views) {
  return compiled().library().call(kernel.name, views);
}

} // namespace
} // namespace heed::cases

// https://github.com/pytorch/pytorch/issues/187506, https://github.com/pytorch/pytorch/issues/112577
TEST_CASE("an innermost axis that is not dense is refused, one of a single element is not") {
  float q[] = {1, 2}, k[] = {1}, v[] = {1}, y[] = {NAN, NAN};
  heed_view query = denseView(q, spec::dtype::f32, {1, 1, 2, 1});
  std::swap(query.extents[2], query.extents[3]); // one token of two features
  std::swap(query.strides[2], query.strides[3]);
  query.strides[3] = 2;
  std::string wrong = callViews(dense, {query, denseView(k, spec::dtype::f32, {1, 1, 1, 2}),
                                        denseView(v, spec::dtype::f32, {1, 1, 1, 1}),
                                        denseView(y, spec::dtype::f32, {1, 1, 1, 1})});
  CHECK(wrong.substr(0, 3) == "q: ");
  CHECK(wrong.find("stride") != std::string::npos);
  CHECK(std::isnan(y[0]));

  heed_view transposed = denseView(q, spec::dtype::f32, {1, 1, 2, 1});
  transposed.strides[3] = 2;
  CHECK(callViews(dense, {transposed, denseView(k, spec::dtype::f32, {1, 1, 1, 1}),
                          denseView(v, spec::dtype::f32, {1, 1, 1, 1}),
                          denseView(y, spec::dtype::f32, {1, 1, 2, 1})}) == "");
  CHECK(y[0] == 1);
  CHECK(y[1] == 1);
}

// https://github.com/NVIDIA/TransformerEngine/issues/1195
TEST_CASE("queries, keys and values are slices of one packed buffer") {
  int64_t tokens = GENERATE(1, 40, 300);
  constexpr int64_t batch = 2, parts = 18, depth = 64;
  Array all = Array::random({tokens, batch, parts, depth}, 1);
  Array q = all.slice(2, 0, 16), k = all.slice(2, 16, 1), v = all.slice(2, 17, 1);
  Array copied = compiled()(shared_head, {q, k, v});

  std::vector<float> memory;
  for (double element : all.elements())
    memory.push_back(float(element));
  std::vector<float> y(tokens * batch * 16 * depth, NAN);
  auto slice = [&](int64_t first, int64_t heads) {
    heed_view view = denseView(memory.data(), spec::dtype::f32, {tokens, batch, parts, depth});
    view.data = memory.data() + first * depth;
    view.extents[2] = heads;
    return view;
  };
  REQUIRE(callViews(shared_head, {slice(0, 16), slice(16, 1), slice(17, 1),
                                  denseView(y.data(), spec::dtype::f32, {tokens, batch, 16, depth})}) == "");
  CHECK(std::vector<double>(y.begin(), y.end()) == copied.elements());
}

// https://github.com/microsoft/onnxruntime/issues/24017, https://github.com/llvm/torch-mlir/pull/4464
TEST_CASE("a broadcast mask or bias is its expansion") {
  int64_t queries = GENERATE(1, 3, 40), keys = 9;
  Array q = Array::random({2, 3, queries, 8}, 1), k = Array::random({2, 3, keys, 8}, 2),
        v = Array::random({2, 3, keys, 8}, 3);
  // Entry (b, h, q, k) of a tensor that has 1 along some axes.
  auto expanded = [&](const Array &small, const Position &at) {
    auto on = [&](int axis, int64_t index) { return small.shape()[axis] == 1 ? 0 : index; };
    return small.at({on(0, at.b), on(1, at.h), on(2, at.q), on(3, at.k)});
  };
  auto bits = [](const Shape &shape) {
    std::vector<double> truth;
    for (double element : Array::random(shape, 7).elements())
      truth.push_back(element > -0.5);
    return Array(shape, truth, spec::dtype::b8);
  };
  auto checkMask = [&](const spec::graph &kernel, const Array &mask) {
    Array expected = naive(
        q, k, v, 1, [&](double s, const Position &at) { return expanded(mask, at) != 0 ? s : -INFINITY; });
    CHECK(difference(compiled()(kernel, {q, k, v, mask}), expected) < 2e-6);
  };
  checkMask(mask_bk, bits({2, 1, 1, keys}));
  checkMask(mask_bqk, bits({2, 1, queries, keys}));
  checkMask(mask_hqk, bits({1, 3, queries, keys}));
  checkMask(mask_none, Array({1, 1, 1, 1}, {1}, spec::dtype::b8));
  checkMask(mask_none, Array({1, 1, 1, 1}, {0}, spec::dtype::b8));

  Array bias = Array::random({2, 1, queries, keys}, 8), perHead = Array::random({3, 1, keys}, 9);
  CHECK(difference(compiled()(bias_bqk, {q, k, v, bias}),
                   naive(q, k, v, 1, [&](double s, const Position &at) { return s + expanded(bias, at); })) <
        2e-6);
  CHECK(difference(compiled()(bias_hk, {q, k, v, perHead}),
                   naive(q, k, v, 1, [&](double s, const Position &at) {
                     return s + perHead.at({at.h, 0, at.k});
                   })) < 2e-6);
  // The sigmoid has no sum to divide by: its only key has the weight itself.
  Array one = Array::filled({1, 1, queries, 1}, 0), value = Array::filled({1, 1, 1, 1}, 1);
  CHECK(
      compiled()(bias_number, {one, value, value, Array::scalar(-1.5, spec::dtype::f32)}).at({0, 0, 0, 0}) ==
      Approx(1 / (1 + std::exp(1.5))));
}

// https://github.com/facebookresearch/xformers/issues/813,
// https://github.com/microsoft/onnxruntime/issues/28365
TEST_CASE("rows of a mask may have any length and begin at any element") {
  int64_t queries = GENERATE(1, 5, 40), row = 43;
  Array q = Array::random({1, 2, queries, 8}, 1), k = Array::random({1, 2, 43, 8}, 2),
        v = Array::random({1, 2, 43, 8}, 3);
  Array dense = Array::filled({1, 2, queries, row}, 1, spec::dtype::b8);
  for (int64_t i = 0; i < queries; ++i)
    dense.set({0, 1, i, (i * 5) % row}, 0);
  Array expected = compiled()(masked, {q, k, v, dense});

  auto shifted = [](const std::vector<double> &elements, auto type) {
    std::vector<decltype(type)> memory(1);
    for (double element : elements)
      memory.push_back(decltype(type)(element));
    return memory;
  };
  auto mq = shifted(q.elements(), 0.0f), mk = shifted(k.elements(), 0.0f), mv = shifted(v.elements(), 0.0f);
  auto mm = shifted(dense.elements(), uint8_t());
  std::vector<float> y(2 * queries * 8 + 1, NAN);
  REQUIRE(callViews(masked, {denseView(&mq[1], spec::dtype::f32, q.shape()),
                             denseView(&mk[1], spec::dtype::f32, k.shape()),
                             denseView(&mv[1], spec::dtype::f32, v.shape()),
                             denseView(&mm[1], spec::dtype::b8, dense.shape()),
                             denseView(&y[1], spec::dtype::f32, expected.shape())}) == "");
  CHECK(std::vector<double>(y.begin() + 1, y.end()) == expected.elements());
}

// https://github.com/pytorch/pytorch/issues/193728
TEST_CASE("keys and values of different lengths are refused") {
  std::vector<float> memory(64, 1), y(64, NAN);
  auto view = [&](int64_t tokens, int64_t d) {
    return denseView(memory.data(), spec::dtype::f32, {1, 1, tokens, d});
  };
  std::string wrong = callViews(
      dense, {view(3, 8), view(5, 8), view(6, 8), denseView(y.data(), spec::dtype::f32, {1, 1, 3, 8})});
  CHECK(wrong.find("v: ") == 0);
  CHECK(wrong.find("6") != std::string::npos);
  CHECK(wrong.find("5") != std::string::npos);
  CHECK(std::isnan(y[0]));
}
