// Multi-head cross-attention with a mask: queries attend over separate keys and values.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"}; // known at run time

constexpr kernel cross_attention{
    "cross_attention", [](graph &g) {
      constexpr int d_in = 10, d_out = 8, heads = 2;
      tensor x = g.input("queries", f32, {batch, queries, d_in});
      tensor key = g.input("keys", f32, {batch, keys, d_in});
      tensor value = g.input("values", f32, {batch, keys, d_in});
      tensor visible = g.input("mask", f32, {batch, heads, queries, keys}); // 0 hides a key

      tensor q = split_heads(linear(x, g.weight("w_query", f32, {d_out, d_in})), heads);     // (b, h, q, d)
      tensor k = split_heads(linear(key, g.weight("w_key", f32, {d_out, d_in})), heads);     // (b, h, k, d)
      tensor v = split_heads(linear(value, g.weight("w_value", f32, {d_out, d_in})), heads); // (b, h, k, d)

      tensor scores = matmul(q, transpose(k)) / sqrt(d_out / heads); // (b, h, q, k)
      tensor weights = softmax(where(visible, scores, -infinity));
      tensor context = merge_heads(matmul(weights, v)); // (b, q, d_out)
      g.output("y", linear(context, g.weight("w_out", f32, {d_out, d_out}), g.weight("b_out", f32, {d_out})));
    }};
HEED_EXPORT(cross_attention);
