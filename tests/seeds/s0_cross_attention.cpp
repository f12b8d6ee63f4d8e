// CrossAttention(d_in, d_out, dropout, num_heads, qkv_bias): queries, keys and values from three tensors; a
// mask of any type in which 0 means hidden.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
constexpr int d_in = 10, d_out = 8, heads = 2;

enum class masked { by_nothing, by_bytes, by_integers, by_floats };

template <bool qkv_bias, masked how, bool drops> constexpr void cross_attention(graph &g) {
  tensor x = g.input("queries", f32, {batch, queries, d_in});
  tensor from_keys = g.input("keys", f32, {batch, keys, d_in});
  tensor from_values = g.input("values", f32, {batch, keys, d_in});
  const auto w = blocks::make_multi_head_weights(
      {g, "attn"}, {.heads = heads, .width = d_in, .depth = d_out / heads, .out = d_out, .bias = qkv_bias});
  dropout_options dropout;
  if (drops)
    dropout = {g.scalar("p", f32), g.scalar("seed", i64)};
  const blocks::key_values to = blocks::project_keys(from_keys, from_values, w);
  blocks::attended y;
  if constexpr (how == masked::by_nothing) {
    y = blocks::cross_attention(x, to, w, {.dropout = dropout});
  } else {
    const dtype type = how == masked::by_bytes ? b8 : how == masked::by_integers ? i32 : f32;
    tensor mask = g.input("mask", type, {batch, heads, queries, keys});
    y = blocks::cross_attention(x, to, w, {.mask = mask, .dropout = dropout});
  }
  g.output("y", y.output);
}

constexpr kernel plain{"plain", [](graph &g) { cross_attention<false, masked::by_nothing, false>(g); }};
constexpr kernel biased{"biased", [](graph &g) { cross_attention<true, masked::by_nothing, false>(g); }};
constexpr kernel bytes{"bytes", [](graph &g) { cross_attention<false, masked::by_bytes, true>(g); }};
constexpr kernel integers{"integers", [](graph &g) { cross_attention<true, masked::by_integers, false>(g); }};
constexpr kernel floats{"floats", [](graph &g) { cross_attention<false, masked::by_floats, true>(g); }};
HEED_EXPORT(plain, biased, bytes, integers, floats);
