// expected: operator +: the operands belong to different graphs, all must be of the graph of the kernel
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
#ifdef WRONG
                         graph other;
                         tensor y = other.input("y", f32, {8});
#else
                         tensor y = g.input("y", f32, {8});
#endif
                         g.output("z", g.input("x", f32, {8}) + y); // wrong
                       }};
HEED_EXPORT(block);
