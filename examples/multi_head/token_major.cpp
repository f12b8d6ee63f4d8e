// Attention in the layout (batch, tokens, heads, depth): nothing is transposed in memory, strides do it. All
// projections have a bias.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"}, queries{"queries"}, keys{"keys"};
constexpr int num_heads = 3, input_dim = 12, key_dim = 6, value_dim = 10;

// (b, s, h, d) <-> (b, h, s, d), a view
constexpr tensor exchange_heads_and_tokens(tensor x) { return permute(x, {0, 2, 1, 3}); }

constexpr kernel token_major_block{
    "token_major_block", [](graph &g) {
      tensor x = g.input("x", f32, {batch, tokens, input_dim});
      auto project = [&](const char *weight, const char *bias, int depth) { // (b, h, s, depth)
        return split_heads(linear(x, g.weight(weight, f32, {num_heads * depth, input_dim}),
                                  g.weight(bias, f32, {num_heads * depth})),
                           num_heads);
      };
      tensor q = project("w_query", "b_query", key_dim);
      tensor k = project("w_key", "b_key", key_dim);
      tensor v = project("w_value", "b_value", value_dim);
      tensor context =
          merge_heads(matmul(softmax(matmul(q, transpose(k)) / sqrt(key_dim)), v)); // (b, q, h · value_dim)
      g.output("y", linear(context, g.weight("w_out", f32, {input_dim, num_heads * value_dim}),
                           g.weight("b_out", f32, {input_dim})));
    }};

// 'bqhd,bkhd->bhqk', softmax over k, 'bhqk,bkhd->bqhd' on tensors that lie that way.
constexpr kernel token_major_attention{
    "token_major_attention", [](graph &g) {
      tensor q = exchange_heads_and_tokens(g.input("q", f32, {batch, queries, num_heads, key_dim}));
      tensor k = exchange_heads_and_tokens(g.input("k", f32, {batch, keys, num_heads, key_dim}));
      tensor v = exchange_heads_and_tokens(g.input("v", f32, {batch, keys, num_heads, value_dim}));
      tensor weights = softmax(matmul(q, transpose(k)) / sqrt(key_dim)); // (b, h, q, k)
      g.output("y", exchange_heads_and_tokens(matmul(weights, v)));      // (b, q, h, value_dim)
    }};
HEED_EXPORT(token_major_block);
HEED_EXPORT(token_major_attention);
