// expected: operator +: an operand is a condition, a number is needed; write select(condition, a, b)
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor s = g.input("s", f32, {1, 1, 4, 4});
                         s = score_mod(s, [](value score, index, index, index q, index k) {
#ifdef WRONG
                           return score + (k <= q); // wrong
#else
                           return score + select(k <= q, 1, 0);
#endif
                         });
                         g.output("y", softmax(s));
                       }};
HEED_EXPORT(block);
