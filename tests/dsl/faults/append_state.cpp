// expected: append: the first operand, (8,4) of f32, is no state, one is needed; write g.state(name, type,
// {extents}), or concat(a, b, axis) for tensors
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
#ifdef WRONG
                         tensor cache = g.input("cache", f32, {8, 4});
#else
                         tensor cache = g.state("cache", f32, {8, 4});
#endif
                         tensor rows = g.input("rows", f32, {2, 4}), position = g.scalar("position", i64);
                         g.output("y", append(cache, rows, position, 0)); // wrong
                       }};
HEED_EXPORT(block);
