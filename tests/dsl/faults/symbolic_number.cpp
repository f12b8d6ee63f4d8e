// expected: operator /: the number is NaN, a number is needed; sqrt of a symbolic extent is NaN
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent depth{"depth"};
#else
constexpr extent depth = 64;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {extent("tokens"), depth});
                         g.output("y", x / sqrt(x.size(-1))); // wrong
                       }};
HEED_EXPORT(block);
