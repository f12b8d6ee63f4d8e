// expected: append: the position is computed, not a scalar of i64, a scalar of i32 or i64 is needed; write
// g.scalar(name, i64)
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor cache = g.state("cache", f32, {8, 4}), rows = g.input("rows", f32, {2, 4});
                         tensor position = g.scalar("position", i64);
#ifdef WRONG
                         position = position + 1;
#endif
                         g.output("y", append(cache, rows, position, 0)); // wrong
                       }};
HEED_EXPORT(block);
