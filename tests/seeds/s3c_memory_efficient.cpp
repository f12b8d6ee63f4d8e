// The flash form with mask and dropout: no buffer grows with queries · keys.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

constexpr kernel training{
    "training", [](graph &g) {
      tensor q = g.input("q", f32, {batch, 4, queries, 32}), k = g.input("k", f32, {batch, 4, keys, 32});
      tensor v = g.input("v", f32, {batch, 4, keys, 32}),
             visible = g.input("mask", b8, {batch, 1, queries, keys});
      g.output("y", attention(q, k, v, {.mask = visible, .dropout = {0.1, g.scalar("seed", i64)}}));
    }};

constexpr kernel inference{"inference", [](graph &g) {
                             tensor q = g.input("q", f32, {batch, 4, queries, 32}),
                                    k = g.input("k", f32, {batch, 4, keys, 32});
                             tensor v = g.input("v", f32, {batch, 4, keys, 32}),
                                    visible = g.input("mask", b8, {batch, 1, queries, keys});
                             g.output("y", attention(q, k, v, {.mask = visible}));
                           }};
HEED_EXPORT(training, inference);
