// expected: append: the state cache has been appended to already, once is possible; append all rows together,
// or use two states
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor cache = g.state("cache", f32, {8, 4}), other = g.state("other", f32, {8, 4});
                         tensor rows = g.input("rows", f32, {2, 4}), position = g.scalar("position", i64);
#ifdef WRONG
                         g.output("z", append(other, rows, position, 0));
                         other = cache;
#endif
                         g.output("x", append(cache, rows, position, 0));
                         g.output("y", append(other, rows, position, 0)); // wrong
                       }};
HEED_EXPORT(block);
