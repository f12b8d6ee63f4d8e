// expected: linear: x is bf16, weight is f64, one floating type is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr dtype type = f64;
#else
constexpr dtype type = f16;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", bf16, {extent("tokens"), 8}),
                                w = g.weight("w", type, {4, 8});
                         g.output("y", linear(x, w, g.weight("b", f32, {4}))); // wrong
                       }};
HEED_EXPORT(block);
