// MultiHeadAttention(in_dim, k_dim, v_dim, num_heads) and CrossAttention(in_dim1, in_dim2, k_dim, v_dim,
// num_heads): values wider than keys, hidden scores filled with -1e9.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"}, queries{"queries"}, keys{"keys"};
constexpr int in_dim = 12, in_dim2 = 9, k_dim = 6, v_dim = 10, heads = 3;

constexpr kernel multi_head{
    "multi_head", [](graph &g) {
      tensor x = g.input("x", f32, {batch, tokens, in_dim});
      tensor visible = g.input("mask", b8, {batch, 1, tokens, tokens});
      const auto w = blocks::make_multi_head_weights(
          {g, "attn"},
          {.heads = heads, .width = in_dim, .depth = k_dim, .value_depth = v_dim, .bias = false});
      g.output("y", blocks::multi_head_attention(x, w, {.mask = masked_fill{visible, -1e9}}).output);
    }};

constexpr kernel cross{"cross", [](graph &g) {
                         tensor x1 = g.input("x1", f32, {batch, queries, in_dim}),
                                x2 = g.input("x2", f32, {batch, keys, in_dim2});
                         const auto w =
                             blocks::make_multi_head_weights({g, "attn"}, {.heads = heads,
                                                                           .width = in_dim,
                                                                           .context_width = in_dim2,
                                                                           .depth = k_dim,
                                                                           .value_depth = v_dim,
                                                                           .bias = false});
                         g.output("y", blocks::cross_attention(x1, x2, w).output);
                       }};
HEED_EXPORT(multi_head, cross);
