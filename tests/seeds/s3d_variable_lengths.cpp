// Sources of several lengths, padded to the longest: hidden by a mask tensor that fills, or by their lengths,
// which needs no mask tensor and skips the padded tiles.
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
HEED_EXPORT(by_tensor, by_lengths, small_by_tensor, small_by_lengths);
