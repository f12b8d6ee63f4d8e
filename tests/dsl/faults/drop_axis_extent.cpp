// expected: drop_axis: axis 0 of x (2,tokens) is 2, an extent of 1 is needed; write select(x, axis, i) for
// one of several
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent batch = 2;
#else
constexpr extent batch = 1;
#endif

constexpr kernel block{"block", [](graph &g) {
                         g.output("y", drop_axis(g.input("x", f32, {batch, extent("tokens")}), 0)); // wrong
                       }};
HEED_EXPORT(block);
