// Sources of several lengths. Padded to the longest, they are hidden by a mask tensor that fills, or by their
// lengths, which needs no mask tensor and skips the padded tiles; or they lie one after the other, and
// nothing is padding.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

template <int d_model, int heads, bool by_lengths> constexpr void cross(graph &g) {
  tensor x = g.input("x", f32, {batch, queries, d_model});
  tensor source = g.input("source", f32, {batch, keys, d_model});
  const auto w = blocks::make_multi_head_weights({g, "attn"}, {.heads = heads, .width = d_model});
  if constexpr (by_lengths) {
    tensor lengths = g.input("lengths", i32, {batch});
    g.output("y", blocks::cross_attention(x, source, w, {.mask = padding(lengths)}).output);
  } else {
    tensor visible = g.input("mask", b8, {batch, 1, 1, keys});
    g.output("y", blocks::cross_attention(x, source, w, {.mask = masked_fill{visible, -1e9}}).output);
  }
}

constexpr kernel by_tensor{"by_tensor", [](graph &g) { cross<512, 8, false>(g); }};
constexpr kernel by_lengths{"by_lengths", [](graph &g) { cross<512, 8, true>(g); }};
constexpr kernel small_by_tensor{"small_by_tensor", [](graph &g) { cross<24, 3, false>(g); }};
constexpr kernel small_by_lengths{"small_by_lengths", [](graph &g) { cross<24, 3, true>(g); }};
constexpr kernel one_buffer{
    "one_buffer", [](graph &g) {
      const extent sequences{"sequences"};
      tensor x = g.input("x", f32, {1, queries, 512}), source = g.input("source", f32, {1, keys, 512});
      tensor of_queries = g.input("query_offsets", i32, {sequences}),
             of_keys = g.input("key_offsets", i32, {sequences});
      const auto w = blocks::make_multi_head_weights({g, "attn"}, {.heads = 8, .width = 512});
      g.output("y",
               blocks::cross_attention(x, source, w, {.mask = packed_sequences(of_queries, queries, of_keys)})
                   .output);
    }};
HEED_EXPORT(one_buffer, by_tensor, by_lengths, small_by_tensor, small_by_lengths);
