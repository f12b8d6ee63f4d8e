// expected: mask: the second argument is no mask function, one of (index b, index h, index q, index k) that
// returns a condition is needed
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor s = g.input("s", f32, {1, 1, 4, 4});
#ifdef WRONG
                         s = mask(s, [](index q, index k) { return k <= q; }); // wrong
#else
                         s = mask(s, [](index, index, index q, index k) { return k <= q; });
#endif
                         g.output("y", softmax(s));
                       }};
HEED_EXPORT(block);
