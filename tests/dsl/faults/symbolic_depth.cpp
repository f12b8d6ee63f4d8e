// expected: attention: q is (1,1,4,depth), its depth depth is symbolic, a number is needed for the default
// scale; give .scale
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor q = g.input("q", f32, {1, 1, 4, extent("depth")});
#ifdef WRONG
                         g.output("y", attention(q, q, q)); // wrong
#else
                         g.output("y", attention(q, q, q, {.scale = 0.125}));
#endif
                       }};
HEED_EXPORT(block);
