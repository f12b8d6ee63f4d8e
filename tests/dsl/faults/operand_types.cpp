// expected: operator *: left is f32, right is i32, one element type is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr dtype other = i32;
#else
constexpr dtype other = f32;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {4}), y = g.input("y", other, {4});
                         x = 2 * x;
                         x = x * y; // wrong
                         g.output("z", x);
                       }};
HEED_EXPORT(block);
