// Attention with its options, in parts and without a softmax; rotary embedding, caches and tables.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"}, groups{"groups"};

struct operands {
  tensor q, k, v;
};

constexpr operands inputs(graph &g, const extent &heads, const extent &shared) {
  return {g.input("q", f32, {batch, heads, queries, 8}), g.input("k", f32, {batch, shared, keys, 8}),
          g.input("v", f32, {batch, shared, keys, 12})};
}

constexpr kernel grouped{"grouped", [](graph &g) {
                           const auto [q, k, v] = inputs(g, 6, 2);
                           g.output("y", attention(q, k, v, {.mask = causal()}));
                         }};
constexpr kernel grouped_by_name{"grouped_by_name", [](graph &g) {
                                   const auto [q, k, v] = inputs(g, groups * 3, groups);
                                   g.output("y", attention(q, k, v));
                                 }};
constexpr kernel sinks{"sinks", [](graph &g) {
                         const auto [q, k, v] = inputs(g, 3, 3);
                         tensor sink = g.weight("sink", f32, {3});
                         const attention_part part =
                             partial_attention(q, k, v, {.mask = causal(), .sink = sink});
                         g.output("y", part.output);
                         g.output("lse", part.lse);
                       }};
constexpr kernel all_options{"all_options", [](graph &g) {
                               const auto [q, k, v] = inputs(g, 4, 2);
                               tensor p = g.scalar("p", f32), seed = g.scalar("seed", i64);
                               g.output("y", attention(q, k, v,
                                                       {.scale = 0.3,
                                                        .score_mod = compose(alibi(), softcap(5)),
                                                        .mask = sliding_window(9, 2),
                                                        .sink = g.weight("sink", f32, {4}),
                                                        .dropout = {.p = p, .seed = seed}}));
                             }};
constexpr kernel merged{"merged", [](graph &g) {
                          const auto [q, k, v] = inputs(g, 3, 3);
                          const auto near = sliding_window(5, 0);
                          const auto far = and_masks(causal(), not_mask(near));
                          const attention_part whole = merge(partial_attention(q, k, v, {.mask = near}),
                                                             partial_attention(q, k, v, {.mask = far}));
                          g.output("y", whole.output);
                          g.output("lse", whole.lse);
                        }};
constexpr kernel sigmoids{"sigmoids", [](graph &g) {
                            const auto [q, k, v] = inputs(g, 6, 2);
                            g.output("y", sigmoid_attention(q, k, v, {.bias = -2, .mask = causal()}));
                          }};
template <bool interleaved> constexpr auto turned(const char *name) {
  return kernel{name, [](graph &g) {
                  const auto [q, k, v] = inputs(g, 3, 3);
                  tensor c = g.input("cos", f32, {50, 3}), s = g.input("sin", f32, {50, 3});
                  const rotary_options options{.interleaved = interleaved, .dim = 6};
                  tensor turned_q = rotary(q, c, s, g.input("query_ids", i32, {batch, queries}), options);
                  tensor turned_k = rotary(k, c, s, g.input("key_ids", i64, {batch, keys}), options);
                  g.output("y", attention(turned_q, turned_k, v));
                }};
}
constexpr kernel turned_halves = turned<false>("turned_halves");
constexpr kernel turned_neighbours = turned<true>("turned_neighbours");
constexpr kernel turned_whole{"turned_whole", [](graph &g) {
                                tensor x = g.input("x", f32, {batch, 3, keys, 8});
                                tensor c = g.input("cos", f32, {batch, keys, 4});
                                g.output("y", rotary(x, c, g.input("sin", f32, {batch, keys, 4})));
                              }};
constexpr kernel cached{"cached", [](graph &g) {
                          tensor q = g.input("q", f32, {batch, 3, queries, 8});
                          tensor past = g.input("past", f32, {batch, 3, 5, 8});
                          tensor all = concat(past, g.input("fresh", f32, {batch, 3, 7, 8}), 2);
                          g.output("y", attention(q, all, all, {.mask = causal_from(5)}));
                          g.output("present", all);
                        }};

HEED_EXPORT(grouped);
HEED_EXPORT(grouped_by_name);
HEED_EXPORT(sinks);
HEED_EXPORT(all_options);
HEED_EXPORT(merged);
HEED_EXPORT(sigmoids);
HEED_EXPORT(turned_halves);
HEED_EXPORT(turned_neighbours);
HEED_EXPORT(turned_whole);
HEED_EXPORT(cached);
