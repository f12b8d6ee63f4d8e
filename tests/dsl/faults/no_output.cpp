// expected: graph: it has no output, at least one is needed; end the block with g.output(name, tensor)
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {8});
                         x = softmax(x); // wrong
#ifndef WRONG
                         g.output("y", x);
#endif
                       }};
HEED_EXPORT(block);
