// The whole model in one call, with all target tokens given, and what every decoder layer computes: for
// comparison with what was recorded when the model was trained.
#include "layers.hpp"

constexpr kernel teacher_forcing{
    "teacher_forcing", [](graph &g) {
      tensor lengths = g.input("lengths", i32, {batch}), pos = g.weight("pos", f32, {positions, width});
      tensor memory = encoder(g, pos, g.input("source_ids", i64, {batch, source}), lengths);
      g.output("memory", memory);
      tensor x = embed(g, "tgt_embed", pos, g.input("target_ids", i64, {batch, target}));
      for (int i = 0; i < layer_count; ++i) {
        const auto w = blocks::make_decoder_layer_weights({g, name("dec", i)}, layer);
        const blocks::decoded y =
            blocks::decoder_layer(x, memory, w, layer, {.mask = causal()}, {.mask = padding(lengths)});
        x = y.output;
        g.output(name("dec", i, "out"), x);
        g.output(name("dec", i, "self_weights"), y.self_weights);
        g.output(name("dec", i, "cross_weights"), y.cross_weights);
      }
      g.output("scores", symbol_scores(g, x));
    }};
HEED_EXPORT(teacher_forcing);
