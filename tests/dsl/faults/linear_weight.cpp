// expected: linear: x is (tokens,10), weight is (10,8), the last axis of x must equal the last of weight;
// weights are (out, in), did you mean transpose(weight)?
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {extent("tokens"), 10});
#ifdef WRONG
                         tensor w = g.weight("w", f32, {10, 8});
#else
                         tensor w = g.weight("w", f32, {8, 10});
#endif
                         g.output("y", linear(x, w)); // wrong
                       }};
HEED_EXPORT(block);
