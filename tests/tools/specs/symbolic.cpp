// Head sizes that are only known at run time, and numbers where one would expect symbols.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"}, depth{"depth"},
    width{"width"};

constexpr kernel symbolic_depth{"symbolic_depth", [](graph &g) {
                                  tensor q = g.input("q", f32, {batch, heads, queries, depth});
                                  tensor k = g.input("k", f32, {batch, heads, keys, depth});
                                  tensor v = g.input("v", f32, {batch, heads, keys, width});
                                  g.output("y", attention(q, k, v, {.scale = 0.25}));
                                }};

constexpr kernel symbolic_heads{"symbolic_heads", [](graph &g) {
                                  tensor x = g.input("x", f32, {batch, queries, width});
                                  tensor weight = g.weight("weight", f32, {width, width});
                                  tensor slope = g.input("slope", f32, {heads});
                                  tensor q = split_heads(linear(x, weight), heads);
                                  tensor scores =
                                      score_mod(matmul(q, transpose(q)), [&](value s, index, index h, index,
                                                                             index) { return s * slope(h); });
                                  g.output("y", merge_heads(matmul(softmax(scores), q)));
                                }};

constexpr kernel all_numbers{"all_numbers", [](graph &g) {
                               tensor q = g.input("q", f32, {2, 3, 17, 20}),
                                      k = g.input("k", f32, {2, 3, 33, 20});
                               tensor v = g.input("v", f32, {2, 3, 33, 20});
                               g.output("y", attention(q, k, v));
                             }};

constexpr kernel one_query{"one_query", [](graph &g) {
                             tensor q = g.input("q", f32, {batch, heads, 1, 64});
                             tensor k = g.input("k", f32, {batch, heads, keys, 64});
                             tensor v = g.input("v", f32, {batch, heads, keys, 64});
                             g.output("y", attention(q, k, v));
                           }};

HEED_EXPORT(symbolic_depth);
HEED_EXPORT(symbolic_heads);
HEED_EXPORT(all_numbers);
HEED_EXPORT(one_query);
