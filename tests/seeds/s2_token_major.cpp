// MultiHeadAttention(num_heads, input_dim, key_dim, value_dim) whose heads lie inside the tokens,
// 'bqhd,bkhd->bhqk' and 'bhqk,bkhd->bqhd': read and written in place.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
constexpr int heads = 3, input_dim = 12, key_dim = 6, value_dim = 10;

constexpr tensor heads_outside(const tensor &x) { return permute(x, {0, 2, 1, 3}); }

constexpr kernel products{"products", [](graph &g) {
                            tensor q = heads_outside(g.input("q", f32, {batch, queries, heads, key_dim}));
                            tensor k = heads_outside(g.input("k", f32, {batch, keys, heads, key_dim}));
                            tensor v = heads_outside(g.input("v", f32, {batch, keys, heads, value_dim}));
                            g.output("y", heads_outside(attention(q, k, v)));
                          }};

constexpr kernel block{
    "block", [](graph &g) {
      tensor x = g.input("x", f32, {batch, queries, input_dim});
      const auto w = blocks::make_multi_head_weights(
          {g, "attn"}, {.heads = heads, .width = input_dim, .depth = key_dim, .value_depth = value_dim});
      g.output("y", blocks::multi_head_attention(x, w).output);
    }};
HEED_EXPORT(products, block);
