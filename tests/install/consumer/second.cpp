#include <heed/dsl.hpp>
using namespace heed;

constexpr extent rows{"rows"};

constexpr kernel second{"second", [](graph &g) {
                          tensor x = g.input("x", f32, {rows, 3});
                          g.output("y", linear(x, g.weight("weight", f32, {2, 3})));
                        }};
HEED_EXPORT(second);
