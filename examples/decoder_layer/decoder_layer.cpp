// A transformer's decoder layer, alone and as a stack, and the multi-head block inside it.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
constexpr blocks::layer_options layer{.heads = 8, .width = 512, .ff = 2048};

constexpr tensor tokens(graph &g, const char *name, const extent &length) {
  return g.input(name, f32, {batch, length, 512});
}

// As it is trained: masks are tensors whose zeros fill the score with -1e9, dropout has a seed.
constexpr kernel decoder_layer{"decoder_layer", [](graph &g) {
                                 tensor x = tokens(g, "x", queries), memory = tokens(g, "memory", keys);
                                 tensor src_mask = g.input("src_mask", b8, {batch, 1, 1, keys});
                                 tensor tgt_mask = g.input("tgt_mask", b8, {1, 1, queries, queries});
                                 blocks::layer_options options = layer;
                                 options.dropout = {g.scalar("p", f32), g.scalar("seed", i64)};
                                 const auto w = blocks::make_decoder_layer_weights({g, "layer"}, options);
                                 const blocks::decoded y = blocks::decoder_layer(
                                     x, memory, w, options,
                                     {.mask = masked_fill{tgt_mask, -1e9}, .dropout = options.dropout},
                                     {.mask = masked_fill{src_mask, -1e9}, .dropout = options.dropout});
                                 g.output("y", y.output);
                                 g.output("weights", y.cross_weights);
                               }};

// As it is used: no mask tensors, tiles that the masks empty are skipped, nothing is drawn.
constexpr kernel decoder_layer_by_lengths{
    "decoder_layer_by_lengths", [](graph &g) {
      tensor x = tokens(g, "x", queries), memory = tokens(g, "memory", keys);
      tensor lengths = g.input("lengths", i32, {batch});
      const auto w = blocks::make_decoder_layer_weights({g, "layer"}, layer);
      const blocks::decoded y =
          blocks::decoder_layer(x, memory, w, layer, {.mask = causal()}, {.mask = padding(lengths)});
      g.output("y", y.output);
    }};

// Three layers by a loop, with weights layers_0_self_attn_w_q and so on.
constexpr kernel decoder_stack{"decoder_stack", [](graph &g) {
                                 tensor x = tokens(g, "x", queries), memory = tokens(g, "memory", keys);
                                 for (int i = 0; i < 3; ++i) {
                                   const auto w =
                                       blocks::make_decoder_layer_weights({g, name("layers", i)}, layer);
                                   x = blocks::decoder_layer(x, memory, w, layer, {.mask = causal()}).output;
                                 }
                                 g.output("y", x);
                               }};

// The same with the layers of a weight packed along its first axis: layers_self_attn_w_q is (3, 512, 512).
constexpr kernel packed_stack{
    "packed_stack", [](graph &g) {
      tensor x = tokens(g, "x", queries), memory = tokens(g, "memory", keys);
      const auto w = blocks::make_decoder_layer_weights({g, "layers", f32, 3}, layer);
      for (int i = 0; i < 3; ++i)
        x = blocks::decoder_layer(x, memory, blocks::layer(w, i), layer, {.mask = causal()}).output;
      g.output("y", x);
    }};

template <int width, int heads> constexpr void self_attention(graph &g) {
  tensor x = g.input("x", f32, {batch, queries, width});
  const auto w = blocks::make_multi_head_weights({g, "attn"}, {.heads = heads, .width = width});
  g.output("y", blocks::multi_head_attention(x, w).output);
}
constexpr kernel multi_head_512{"multi_head_512", [](graph &g) { self_attention<512, 8>(g); }};
constexpr kernel multi_head_256{"multi_head_256", [](graph &g) { self_attention<256, 4>(g); }};

HEED_EXPORT(decoder_layer, decoder_layer_by_lengths, decoder_stack, packed_stack, multi_head_512,
            multi_head_256);
