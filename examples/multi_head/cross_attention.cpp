// Multi-head cross-attention between inputs of different widths: queries from x1, keys and values from x2.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

constexpr kernel cross_attention{
    "cross_attention", [](graph &g) {
      constexpr int in_dim1 = 12, in_dim2 = 9, k_dim = 6, v_dim = 10, heads = 3;
      tensor x1 = g.input("x1", f32, {batch, queries, in_dim1});
      tensor x2 = g.input("x2", f32, {batch, keys, in_dim2});
      tensor q = split_heads(linear(x1, g.weight("w_query", f32, {k_dim * heads, in_dim1})),
                             heads); // (b, h, q, k_dim)
      tensor k = split_heads(linear(x2, g.weight("w_key", f32, {k_dim * heads, in_dim2})),
                             heads); // (b, h, k, k_dim)
      tensor v = split_heads(linear(x2, g.weight("w_value", f32, {v_dim * heads, in_dim2})),
                             heads);                                   // (b, h, k, v_dim)
      tensor weights = softmax(matmul(q, transpose(k)) / sqrt(k_dim)); // (b, h, q, k)
      tensor context = merge_heads(matmul(weights, v));                // (b, q, v_dim · h)
      g.output("y", linear(context, g.weight("w_out", f32, {in_dim1, v_dim * heads}),
                           g.weight("b_out", f32, {in_dim1})));
    }};
HEED_EXPORT(cross_attention);
