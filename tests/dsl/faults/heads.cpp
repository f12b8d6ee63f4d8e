// expected: split_heads: x is (batch,tokens,10), 10 does not divide by 3 heads, a multiple is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr int heads = 3;
#else
constexpr int heads = 2;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {extent("batch"), extent("tokens"), 10});
                         g.output("y", split_heads(x, heads)); // wrong
                       }};
HEED_EXPORT(block);
