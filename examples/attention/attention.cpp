// Scaled dot-product attention in the sizes that models use, and a linear layer: the kernels that are
// measured.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"}, rows{"rows"};

constexpr void scaled_dot_product(graph &g, int depth, bool causal) {
  tensor q = g.input("q", f32, {batch, heads, queries, depth});
  tensor k = g.input("k", f32, {batch, heads, keys, depth});
  tensor v = g.input("v", f32, {batch, heads, keys, depth});
  tensor scores = matmul(q, transpose(k)) / sqrt(depth); // (b, h, q, k)
  if (causal)
    scores = mask(scores, [](index, index, index query, index key) { return key <= query; });
  g.output("y", matmul(softmax(scores), v));
}

constexpr kernel attention_d64{"attention_d64", [](graph &g) { scaled_dot_product(g, 64, false); }};
constexpr kernel attention_d80{"attention_d80", [](graph &g) { scaled_dot_product(g, 80, false); }};
constexpr kernel attention_d128{"attention_d128", [](graph &g) { scaled_dot_product(g, 128, false); }};
constexpr kernel attention_d64_causal{"attention_d64_causal",
                                      [](graph &g) { scaled_dot_product(g, 64, true); }};
constexpr kernel attention_d128_causal{"attention_d128_causal",
                                       [](graph &g) { scaled_dot_product(g, 128, true); }};

constexpr kernel linear_512{
    "linear_512", [](graph &g) {
      tensor x = g.input("x", f32, {rows, 512});
      g.output("y", linear(x, g.weight("weight", f32, {512, 512}), g.weight("bias", f32, {512})));
    }};

HEED_EXPORT(attention_d64);
HEED_EXPORT(attention_d80);
HEED_EXPORT(attention_d128);
HEED_EXPORT(attention_d64_causal);
HEED_EXPORT(attention_d128_causal);
HEED_EXPORT(linear_512);
