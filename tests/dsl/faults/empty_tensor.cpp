// expected: output: the tensor is empty, one that an operation has made is needed
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor result;
#ifndef WRONG
                         result = softmax(g.input("x", f32, {8}));
#endif
                         g.output("y", result); // wrong
                       }};
HEED_EXPORT(block);
