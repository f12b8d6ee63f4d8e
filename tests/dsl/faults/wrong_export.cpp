// asserted: HEED_EXPORT: a constexpr kernel is needed
#include <heed/dsl.hpp>
using namespace heed;

constexpr auto block = [](graph &g) { g.output("y", g.input("x", f32, {8})); };
#ifdef WRONG
HEED_EXPORT(block); // wrong
#else
constexpr kernel second{"second", block};
HEED_EXPORT(second);
#endif
