// expected: mean: the element type is i32, a floating type is needed; write sum(x) for integers
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr dtype type = i32;
#else
constexpr dtype type = f32;
#endif

constexpr kernel block{"block", [](graph &g) {
                         g.output("y", mean(g.input("x", type, {2, extent("n")}))); // wrong
                       }};
HEED_EXPORT(block);
