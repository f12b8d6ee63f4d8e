// Where tensors lie: heads beside tokens, packed projections, shared and broadcast operands, ranks 2 and 3.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"}, tokens{"tokens"};

/// (b, s, h, d) in and out, without a copy: only views turn the axes.
constexpr kernel heads_inside{"heads_inside", [](graph &g) {
                                tensor q =
                                    permute(g.input("q", f32, {batch, queries, heads, 32}), {0, 2, 1, 3});
                                tensor k = permute(g.input("k", f32, {batch, keys, heads, 32}), {0, 2, 1, 3});
                                tensor v = permute(g.input("v", f32, {batch, keys, heads, 24}), {0, 2, 1, 3});
                                g.output("y", permute(attention(q, k, v), {0, 2, 1, 3}));
                              }};

constexpr kernel heads_merged{"heads_merged", [](graph &g) {
                                tensor q = split_heads(g.input("q", f32, {batch, queries, 40}), 5);
                                tensor k = split_heads(g.input("k", f32, {batch, keys, 40}), 5);
                                tensor v = split_heads(g.input("v", f32, {batch, keys, 60}), 5);
                                g.output("y", merge_heads(attention(q, k, v)));
                              }};

constexpr kernel keys_transposed{"keys_transposed", [](graph &g) {
                                   tensor q = g.input("q", f32, {batch, heads, queries, 16});
                                   tensor k = g.input("k", f32, {batch, heads, 16, keys});
                                   tensor v = g.input("v", f32, {batch, heads, keys, 16});
                                   g.output("y", matmul(softmax(matmul(q, k) / 4.0), v));
                                 }};

constexpr kernel shared_keys{"shared_keys", [](graph &g) {
                               tensor q = g.input("q", f32, {batch, heads, queries, 16});
                               tensor k = g.input("k", f32, {batch, 1, keys, 16});
                               tensor v = g.input("v", f32, {1, 1, keys, 16});
                               g.output("y", attention(q, k, v));
                             }};

constexpr kernel rank_2{"rank_2", [](graph &g) {
                          tensor q = g.input("q", f32, {queries, 16}), k = g.input("k", f32, {keys, 16});
                          tensor v = g.input("v", f32, {keys, 16});
                          g.output("y", matmul(softmax(matmul(q, transpose(k)) / 4.0), v));
                        }};

constexpr kernel rank_3{"rank_3", [](graph &g) {
                          tensor q = g.input("q", f32, {batch, queries, 16}),
                                 k = g.input("k", f32, {batch, keys, 16});
                          tensor v = g.input("v", f32, {batch, keys, 16});
                          g.output("y", matmul(softmax(matmul(q, transpose(k)) / 4.0), v));
                        }};

constexpr kernel itself{"itself", [](graph &g) {
                          tensor x = g.input("x", f32, {batch, heads, tokens, 16});
                          g.output("y", attention(x, x, x));
                        }};

/// Q, K and V from one input: their projections can be merged.
constexpr kernel packed{
    "packed", [](graph &g) {
      tensor x = g.input("x", f32, {batch, tokens, 20});
      auto project = [&](const char *weight, const char *bias) {
        return split_heads(linear(x, g.weight(weight, f32, {24, 20}), g.weight(bias, f32, {24})), 3);
      };
      tensor q = project("w_q", "b_q"), k = project("w_k", "b_k"), v = project("w_v", "b_v");
      g.output("y", linear(merge_heads(attention(q, k, v)), g.weight("w_o", f32, {20, 24}),
                           g.weight("b_o", f32, {20})));
    }};

HEED_EXPORT(heads_inside);
HEED_EXPORT(heads_merged);
HEED_EXPORT(keys_transposed);
HEED_EXPORT(shared_keys);
HEED_EXPORT(rank_2);
HEED_EXPORT(rank_3);
HEED_EXPORT(itself);
HEED_EXPORT(packed);
