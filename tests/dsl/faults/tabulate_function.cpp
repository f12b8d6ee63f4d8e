// expected: tabulate: the shape is (2,tokens), a function that takes one index for each of its axes and
// returns a scalar is needed
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {extent("tokens")});
#ifdef WRONG
                         tensor y =
                             tabulate(g, f32, {2, extent("tokens")}, [&](index i) { return x[i]; }); // wrong
#else
                         tensor y = tabulate(g, f32, {2, extent("tokens")}, [&](index, index i) { return x[i]; });
#endif
                         g.output("y", y);
                       }};
HEED_EXPORT(block);
