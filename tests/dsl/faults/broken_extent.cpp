// expected: input: an extent is 5/2, a whole number is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent half = extent(5) / 2;
#else
constexpr extent half = extent(6) / 2;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {half}); // wrong
                         g.output("y", softmax(x));
                       }};
HEED_EXPORT(block);
