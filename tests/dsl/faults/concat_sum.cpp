// expected: concat: a is (2,past), b is (2,fresh), numbers are needed for the sum on axis 1; name it, as in
// concat(a, b, axis, extent(name))
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor a = g.input("a", f32, {2, extent("past")});
                         tensor b = g.input("b", f32, {2, extent("fresh")});
                         g.input("visible", b8, {extent("all")});
#ifdef WRONG
                         g.output("y", concat(a, b, 1)); // wrong
#else
                         g.output("y", concat(a, b, 1, extent("all")));
#endif
                       }};
HEED_EXPORT(block);
