// expected: scalar: the type is f16, one of b8, i32, i64, f32 and f64 is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr dtype type = f16;
#else
constexpr dtype type = f32;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor p = g.scalar("p", type); // wrong
                         g.output("y", g.input("x", type, {4}) * p);
                       }};
HEED_EXPORT(block);
