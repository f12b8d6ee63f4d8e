// expected: kernel: the name is 2nd, a C identifier is needed (letters, digits and underscores, no keyword)
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr kernel block{"2nd", [](graph &g) { g.output("y", g.input("x", f32, {8})); }}; // wrong
#else
constexpr kernel block{"second", [](graph &g) { g.output("y", g.input("x", f32, {8})); }};
#endif
HEED_EXPORT(block);
