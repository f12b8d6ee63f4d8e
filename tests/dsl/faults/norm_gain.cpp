// expected: layer_norm: the gain is (8), x is (tokens,64), a gain of shape (64) is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent width = 8;
#else
constexpr extent width = 64;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {extent("tokens"), 64});
                         g.output("y", layer_norm(x, g.weight("gain", f32, {width}))); // wrong
                       }};
HEED_EXPORT(block);
