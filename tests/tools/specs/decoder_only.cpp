// A layer of a decoder-only model: pre-norm by rms_norm, grouped heads, norms of queries and keys, rotary
// embedding of half the features by position ids, SwiGLU; in one go, and with a cache.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"}, positions{"positions"}, capacity{"capacity"};
constexpr int width = 48, heads = 6, key_heads = 2, depth = width / heads;

constexpr blocks::layer_options options_of(graph &g) {
  blocks::layer_options options{.heads = heads,
                                .width = width,
                                .ff = 40,
                                .act = blocks::activation::swiglu,
                                .order = blocks::norm_order::pre,
                                .norm = blocks::norm_kind::rms_norm,
                                .bias = false,
                                .key_heads = key_heads,
                                .qk_norm = true};
  options.rotary = {g.input("cos", f32, {positions, depth / 4}),
                    g.input("sin", f32, {positions, depth / 4}),
                    g.input("position_ids", i32, {batch, tokens}),
                    {.interleaved = true, .dim = depth / 2}};
  return options;
}

constexpr kernel whole{"whole", [](graph &g) {
                         tensor x = g.input("x", f32, {batch, tokens, width});
                         const blocks::layer_options options = options_of(g);
                         const auto w = blocks::make_encoder_layer_weights({g, name("layers", 0)}, options);
                         g.output("y", blocks::encoder_layer(x, w, options, {.mask = causal()}));
                       }};

constexpr kernel cached{
    "cached", [](graph &g) {
      tensor x = g.input("x", f32, {batch, tokens, width}), position = g.scalar("position", i32);
      const blocks::layer_options options = options_of(g);
      blocks::multi_head_weights w = blocks::make_multi_head_weights(
          {g, "attn"}, {.heads = heads, .width = width, .key_heads = key_heads, .qk_norm = true});
      w.rotary = options.rotary;
      const blocks::key_values past{g.state("past_keys", f32, {batch, key_heads, capacity, depth}),
                                    g.state("past_values", f32, {batch, key_heads, capacity, depth})};
      const blocks::key_values to = blocks::append(past, blocks::project_keys(x, w), position);
      g.output("y", blocks::cross_attention(x, to, w, {.mask = shifted(causal(), position)}).output);
    }};
HEED_EXPORT(whole, cached);
