// expected: dropout: the seed is a tensor () of i32, a scalar of i64 is needed; write g.scalar(name, i64)
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr dtype type = i32;
#else
constexpr dtype type = i64;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {4});
                         g.output("y", dropout(x, g.scalar("p", f32), g.scalar("seed", type))); // wrong
                       }};
HEED_EXPORT(block);
