// Kernels for the rules of docs/semantics.md. Lengths are known in the call, so every family of kernels can
// run.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
constexpr int heads = 2, depth = 8;

struct problem {
  tensor scores, v;
};

constexpr problem scored(graph &g) {
  const tensor q = g.input("q", f32, {batch, heads, queries, depth}),
               k = g.input("k", f32, {batch, heads, keys, depth}),
               v = g.input("v", f32, {batch, heads, keys, depth});
  return {matmul(q, transpose(k)) / sqrt(depth), v};
}

constexpr void attend(graph &g, const tensor &scores, const tensor &v) {
  g.output("y", matmul(softmax(scores), v));
  g.output("lse", log_sum_exp(scores));
}

// The mask is known in the call only.
constexpr kernel by_tensor{
    "by_tensor", [](graph &g) {
      const auto [scores, v] = scored(g);
      attend(g, where(g.input("visible", b8, {batch, 1, queries, keys}), scores, -infinity), v);
    }};

// Keys beyond a length are skipped; a bias comes after the mask.
constexpr kernel by_length{"by_length", [](graph &g) {
                             const auto [scores, v] = scored(g);
                             const tensor lengths = g.input("lengths", i64, {batch});
                             const tensor bias = g.input("bias", f32, {queries, keys});
                             const tensor shown = mask(scores, [&](index b, index, index q, index k) {
                               return k < lengths[b] && q < lengths[b];
                             });
                             attend(g, shown + bias, v);
                           }};

constexpr kernel nan_for_empty{"nan_for_empty", [](graph &g) {
                                 const auto [scores, v] = scored(g);
                                 const tensor shown = where(g.input("visible", b8, {batch, 1, queries, keys}),
                                                            scores, -infinity);
                                 g.output("y", matmul(softmax(shown, {.nan_for_empty = true}), v));
                               }};

constexpr kernel finite_fill{"finite_fill", [](graph &g) {
                               const auto [scores, v] = scored(g);
                               const tensor visible = g.input("visible", b8, {batch, 1, queries, keys});
                               g.output("y", matmul(softmax(where(visible, scores, -1e9)), v));
                             }};

constexpr kernel by_sum{"by_sum", [](graph &g) {
                          const auto [scores, v] = scored(g);
                          attend(g, scores + g.input("bias", f32, {queries, keys}), v);
                        }};

HEED_EXPORT(by_tensor);
HEED_EXPORT(by_length);
HEED_EXPORT(by_sum);
HEED_EXPORT(nan_for_empty);
HEED_EXPORT(finite_fill);
