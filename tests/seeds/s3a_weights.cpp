// CrossAttention(d_model, num_heads) -> (output, weights (batch, heads, queries, keys)), with all biases.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

template <int d_model, int heads> constexpr void with_weights(graph &g) {
  tensor query = g.input("query", f32, {batch, queries, d_model});
  tensor context = g.input("context", f32, {batch, keys, d_model});
  tensor visible = g.input("mask", b8, {batch, 1, 1, keys});
  const auto w = blocks::make_multi_head_weights({g, "attn"}, {.heads = heads, .width = d_model});
  const blocks::attended y = blocks::cross_attention(query, context, w, {.mask = masked_fill{visible, -1e9}});
  g.output("y", y.output);
  g.output("weights", y.weights);
}

constexpr kernel large{"large", [](graph &g) { with_weights<512, 8>(g); }};
constexpr kernel small{"small", [](graph &g) { with_weights<24, 3>(g); }};
HEED_EXPORT(large, small);
