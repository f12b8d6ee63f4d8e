// Several results of one attention, sinks, rows without keys, groups of heads, and other normalisers.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

struct operands {
  tensor q, k, v;
  constexpr tensor scores() const { return matmul(q, transpose(k)) / 4.0; }
};

constexpr operands inputs(graph &g) {
  return {g.input("q", f32, {batch, 2, queries, 16}), g.input("k", f32, {batch, 2, keys, 16}),
          g.input("v", f32, {batch, 2, keys, 12})};
}

constexpr kernel everything{"everything", [](graph &g) {
                              operands in = inputs(g);
                              tensor raw = in.scores();
                              tensor scores = mask(score_mod(raw, softcap(5)), causal());
                              tensor weights = softmax(scores);
                              g.output("y", matmul(weights, in.v));
                              g.output("raw", raw);
                              g.output("scores", scores);
                              g.output("weights", weights);
                              g.output("lse", log_sum_exp(scores));
                            }};

constexpr kernel weights_only{"weights_only", [](graph &g) {
                                operands in = inputs(g);
                                tensor lengths = g.input("lengths", i32, {batch});
                                g.output("weights", softmax(mask(in.scores(), padding(lengths))));
                              }};

constexpr kernel sinks{"sinks", [](graph &g) {
                         operands in = inputs(g);
                         tensor sink = g.input("sink", f32, {2});
                         tensor scores = mask(in.scores(), sliding_window(3, 0));
                         g.output("y", matmul(softmax(scores, {.sink = sink}), in.v));
                         g.output("lse", log_sum_exp(scores, {.sink = sink}));
                       }};

constexpr kernel nan_rows{"nan_rows", [](graph &g) {
                            operands in = inputs(g);
                            tensor scores = mask(in.scores(), causal_bottom_right(queries, keys));
                            tensor weights = softmax(scores, {.nan_for_empty = true});
                            g.output("y", matmul(weights, in.v));
                            g.output("weights", weights);
                          }};

constexpr kernel sigmoids{"sigmoids", [](graph &g) {
                            operands in = inputs(g);
                            g.output("y", sigmoid_attention(in.q, in.k, in.v, {.mask = causal()}));
                          }};

constexpr kernel twice{"twice", [](graph &g) {
                         operands in = inputs(g);
                         g.output("y", matmul(softmax(softmax(in.scores())), in.v));
                       }};

constexpr kernel grouped{"grouped", [](graph &g) {
                           tensor q = g.input("q", f32, {batch, 6, queries, 16});
                           tensor k = g.input("k", f32, {batch, 2, keys, 16});
                           tensor v = g.input("v", f32, {batch, 2, keys, 12});
                           g.output("y", attention(q, k, v, {.score_mod = alibi(), .mask = causal()}));
                         }};

HEED_EXPORT(everything);
HEED_EXPORT(weights_only);
HEED_EXPORT(sinks);
HEED_EXPORT(nan_rows);
HEED_EXPORT(sigmoids);
HEED_EXPORT(twice);
HEED_EXPORT(grouped);
