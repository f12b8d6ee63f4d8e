// expected: weight: another argument has the name w_key already, every name must be used once
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {extent("tokens"), 8});
                         tensor k = linear(x, g.weight("w_key", f32, {8, 8}));
#ifdef WRONG
                         tensor v = linear(x, g.weight("w_key", f32, {8, 8})); // wrong
#else
                         tensor v = linear(x, g.weight("w_value", f32, {8, 8}));
#endif
                         g.output("y", k + v);
                       }};
HEED_EXPORT(block);
