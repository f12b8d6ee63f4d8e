// expected: softmax: the sink is (8), x is (1,4,queries,queries), a sink of shape (4) is needed, one number
// for each head
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent sinks = 8;
#else
constexpr extent sinks = 4;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor s = g.input("s", f32, {1, 4, extent("queries"), extent("queries")});
                         tensor sink = g.weight("sink", f32, {sinks});
                         g.output("y", softmax(s, {.sink = sink})); // wrong
                       }};
HEED_EXPORT(block);
