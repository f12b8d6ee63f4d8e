/// On the CPU: each token's probabilities of some classes.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"};
constexpr int width = 96, classes = 11;

constexpr kernel classify{"classify", [](graph &g) {
                            tensor y = g.input("y", f32, {batch, tokens, width});
                            tensor w = g.weight("w", f32, {classes, width}),
                                   b = g.weight("b", f32, {classes});
                            g.output("probabilities", softmax(linear(y, w, b)));
                          }};
HEED_EXPORT(classify);
