// Visible pairs against counts worked out by hand.
#include "Kernels/VisibleKeys.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using namespace heed::tools;

namespace {

constexpr heed::extent batch{"batch"}, queries{"queries"}, keys{"keys"};

/// The argument after q, k and v.
constexpr int extraNode = 3;

VisibleKeys visibleKeys(const spec::graph &kernel, const reference::SymbolValues &sizes, dtype type,
                        Shape shape, std::vector<double> values) {
  HostTensor extra = HostTensor::zeros(type, shape);
  for (std::size_t i = 0; i < values.size(); ++i)
    extra.set(static_cast<std::int64_t>(i), values[i]);
  return *VisibleKeys::of(kernel, scoreChains(kernel)[0], sizes, {{extraNode, extra}});
}

} // namespace

TEST_CASE("lengths of a batch") {
  static constexpr kernel padded{"padded", [](graph &g) {
                                   tensor q = g.input("q", f32, {batch, 2, queries, 4}),
                                          k = g.input("k", f32, {batch, 2, keys, 4}),
                                          v = g.input("v", f32, {batch, 2, keys, 4});
                                   tensor lengths = g.input("lengths", i32, {batch});
                                   g.output("y", attention(q, k, v, {.mask = padding(lengths)}));
                                 }};
  VisibleKeys visible = visibleKeys(padded, {3, 5, 7}, dtype::i32, {3}, {7, 0, 2});
  CHECK(visible.shape() == Shape{3, 2, 5, 7});
  CHECK(visible.dependsOn(0));
  CHECK(!visible.dependsOn(1));
  CHECK(!visible.dependsOn(2));
  CHECK(visible.count() == 2 * 5 * (7 + 0 + 2));
  CHECK(visible.row(2, 1, 4) == std::vector<std::uint8_t>{1, 1, 0, 0, 0, 0, 0});
  CHECK(!VisibleKeys::of(padded, scoreChains(padded)[0], {3, 5, 7}, {}));
}

TEST_CASE("documents, with indices clamped into the ids") {
  static constexpr kernel documents{
      "documents", [](graph &g) {
        tensor q = g.input("q", f32, {batch, 2, queries, 4}), k = g.input("k", f32, {batch, 2, keys, 4}),
               v = g.input("v", f32, {batch, 2, keys, 4});
        tensor ids = g.input("ids", i32, {4});
        g.output("y", attention(q, k, v, {.mask = and_masks(causal(), document(ids))}));
      }};
  VisibleKeys visible = visibleKeys(documents, {1, 5, 5}, dtype::i32, {4}, {0, 0, 1, 1});
  // Row 4 reads the last id, as row 3 does.
  CHECK(visible.count() == 2 * (1 + 2 + 1 + 2 + 3));
}

TEST_CASE("conditions of where, in any broadcast shape and either sense") {
  static constexpr kernel shown{"shown", [](graph &g) {
                                  tensor q = g.input("q", f32, {batch, 2, queries, 4}),
                                         k = g.input("k", f32, {batch, 2, keys, 4}),
                                         v = g.input("v", f32, {batch, 2, keys, 4});
                                  tensor visible = g.input("visible", b8, {2, 1, keys});
                                  tensor scores = where(visible, matmul(q, transpose(k)), -infinity);
                                  g.output("y", matmul(softmax(mask(scores, causal())), v));
                                }};
  VisibleKeys visible = visibleKeys(shown, {3, 3, 3}, dtype::b8, {2, 1, 3}, {1, 1, 1, 0, 0, 1});
  CHECK(visible.dependsOn(1));
  CHECK(!visible.dependsOn(0));
  CHECK(visible.count() == 3 * (6 + 1));
  static constexpr kernel hidden{"hidden", [](graph &g) {
                                   tensor q = g.input("q", f32, {batch, 2, queries, 4}),
                                          k = g.input("k", f32, {batch, 2, keys, 4}),
                                          v = g.input("v", f32, {batch, 2, keys, 4});
                                   tensor hides = g.input("hides", f32, {keys});
                                   tensor scores = where(!hides, -infinity, matmul(q, transpose(k)));
                                   g.output("y", matmul(softmax(scores), v));
                                 }};
  CHECK(visibleKeys(hidden, {1, 2, 3}, dtype::f32, {3}, {0.5, 0, -1}).count() == 2 * 2 * 2);
}
