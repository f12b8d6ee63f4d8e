// expected: element: elements of a tensor exist only inside mask, score_mod and tabulate
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor s = g.input("s", f32, {1, 1, 4, 4}), offset = g.scalar("offset", i64);
#ifdef WRONG
                         scalar last = offset(); // wrong
                         s = mask(s, [&](index, index, index, index k) { return k <= last; });
#else
                         s = mask(s, [&](index, index, index, index k) { return k <= offset(); });
#endif
                         g.output("y", softmax(s));
                       }};
HEED_EXPORT(block);
