// expected: mask: the function returns an integer, a condition is needed; compare it with a number
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor s = g.input("s", f32, {1, 1, 4, 4});
#ifdef WRONG
                         s = mask(s, [](index, index, index q, index k) { return q - k; }); // wrong
#else
                         s = mask(s, [](index, index, index q, index k) { return q - k >= 0; });
#endif
                         g.output("y", softmax(s));
                       }};
HEED_EXPORT(block);
