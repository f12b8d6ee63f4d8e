// expected: slice: the start is 0 and the length 1, axis 1 of x (2,tokens) is tokens, a part of it is needed,
// in multiples of that extent; write tabulate for positions that depend on the call
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent tokens{"tokens"};
#else
constexpr extent tokens = 7;
#endif

constexpr kernel block{"block", [](graph &g) {
                         g.output("y", slice(g.input("x", f32, {2, tokens}), 1, 0, 1)); // wrong
                       }};
HEED_EXPORT(block);
