// expected: graph: this is operation 2049, at most 2048 are possible; split the block into several kernels
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr int count = 2048;
#else
constexpr int count = 2047;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {8});
                         for (int i = 0; i < count; ++i)
                           x = softmax(x); // wrong
                         g.output("y", x);
                       }};
HEED_EXPORT(block);
