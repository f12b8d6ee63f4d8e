// expected: mask: the second argument is no mask function, one of (index b, index h, index q, index k) that
// returns a condition is needed
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor q = g.input("q", f32, {1, 1, 4, 4});
#ifdef WRONG
                         g.output("y", attention(q, q, q, {.mask = alibi()})); // wrong
#else
                         g.output("y", attention(q, q, q, {.score_mod = alibi()}));
#endif
                       }};
HEED_EXPORT(block);
