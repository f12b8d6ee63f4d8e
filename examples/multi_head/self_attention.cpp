// Multi-head self-attention whose values are wider than its keys. Hidden scores are filled with -1e9, a
// finite number: a row with everything hidden weighs all tokens alike.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"};
constexpr int in_dim = 12, k_dim = 6, v_dim = 10, heads = 3;

constexpr void self_attention(graph &g, bool masked) {
  tensor x = g.input("x", f32, {batch, tokens, in_dim});
  tensor q =
      split_heads(linear(x, g.weight("w_query", f32, {k_dim * heads, in_dim})), heads); // (b, h, q, k_dim)
  tensor k =
      split_heads(linear(x, g.weight("w_key", f32, {k_dim * heads, in_dim})), heads); // (b, h, k, k_dim)
  tensor v =
      split_heads(linear(x, g.weight("w_value", f32, {v_dim * heads, in_dim})), heads); // (b, h, k, v_dim)
  tensor scores = matmul(q, transpose(k)) / sqrt(k_dim);                                // (b, h, q, k)
  if (masked)
    scores = where(g.input("mask", b8, {batch, 1, tokens, tokens}), scores, -1e9);
  tensor context = merge_heads(matmul(softmax(scores), v)); // (b, q, v_dim · h)
  g.output("y", linear(context, g.weight("w_out", f32, {in_dim, v_dim * heads}),
                       g.weight("b_out", f32, {in_dim})));
}

constexpr kernel self_attention_plain{"self_attention", [](graph &g) { self_attention(g, false); }};
constexpr kernel self_attention_masked{"self_attention_masked", [](graph &g) { self_attention(g, true); }};
HEED_EXPORT(self_attention_plain);
HEED_EXPORT(self_attention_masked);
