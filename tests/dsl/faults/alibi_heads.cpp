// expected: alibi: the scores have heads heads, a number is needed for the slopes; pass them as a tensor,
// alibi(slopes)
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent heads{"heads"};
#else
constexpr extent heads = 12;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor s = g.input("s", f32, {1, heads, 4, 4});
                         g.output("y", score_mod(s, alibi())); // wrong
                       }};
HEED_EXPORT(block);
