// expected: select: the element is 8, axis 0 of x (8,4) is 8, one of its elements is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr int layer = 8;
#else
constexpr int layer = 7;
#endif

constexpr kernel block{"block", [](graph &g) {
                         g.output("y", select(g.weight("w", f32, {8, 4}), 0, layer)); // wrong
                       }};
HEED_EXPORT(block);
