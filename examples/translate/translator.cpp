// An encoder-decoder that writes dates as YYYY-MM-DD. `encode` runs once a line, `decode` once a character.
#include "layers.hpp"

// What the decoder attends to: keys and values of the encoder's output, for each of its layers.
constexpr kernel encode{
    "encode", [](graph &g) {
      tensor pos = g.weight("pos", f32, {positions, width});
      tensor x = encoder(g, pos, g.input("ids", i32, {batch, source}), g.input("lengths", i32, {batch}));
      for (int i = 0; i < layer_count; ++i) {
        const auto w = blocks::make_multi_head_weights(
            {g, name("dec", i, "cross_attn")}, {.heads = heads, .width = width, .for_queries = false});
        const blocks::key_values memory = blocks::project_keys(x, w);
        g.output(name("keys", i), memory.keys);
        g.output(name("values", i), memory.values);
      }
    }};

// The tokens from `position` on: scores of every symbol that may come next, the best one, and how much of
// each source token the last layer looked at, averaged over its heads.
constexpr kernel decode{
    "decode", [](graph &g) {
      const extent capacity{"capacity"};
      tensor ids = g.input("ids", i32, {batch, target}), lengths = g.input("lengths", i32, {batch});
      tensor position = g.scalar("position", i32);
      blocks::layer_options options = layer;
      options.memory_is_projected = true;
      tensor x = embed(g, "tgt_embed", g.weight("pos", f32, {positions, width}), ids, position), weights;
      for (int i = 0; i < layer_count; ++i) {
        const blocks::key_values memory{g.input(name("keys", i), f32, {batch, heads, source, depth}),
                                        g.input(name("values", i), f32, {batch, heads, source, depth})};
        const blocks::key_values past{g.state(name("past_keys", i), f32, {batch, heads, capacity, depth}),
                                      g.state(name("past_values", i), f32, {batch, heads, capacity, depth})};
        const auto w = blocks::make_decoder_layer_weights({g, name("dec", i)}, options);
        const blocks::decoded y =
            blocks::decoder_layer(x, memory, w, options, {.mask = shifted(causal(), position)},
                                  {.mask = padding(lengths)}, {past, position});
        x = y.output;
        weights = y.cross_weights; // (b, h, target, source)
      }
      tensor scores = symbol_scores(g, x);
      g.output("scores", scores);
      g.output("next", argmax(scores));
      g.output("alignment", mean(permute(weights, {0, 2, 3, 1})));
    }};
HEED_EXPORT(encode, decode);
