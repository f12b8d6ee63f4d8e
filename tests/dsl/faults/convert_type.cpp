// expected: convert: x is f32, the type is i32, a floating type is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr dtype type = i32;
#else
constexpr dtype type = bf16;
#endif

constexpr kernel block{"block", [](graph &g) {
                         g.output("y", convert(g.input("x", f32, {4}), type)); // wrong
                       }};
HEED_EXPORT(block);
