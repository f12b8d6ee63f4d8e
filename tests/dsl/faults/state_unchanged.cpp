// expected: state: nothing changes cache, an append is needed; write append(state, rows, position, axis), or
// g.input for what only is read
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor cache = g.state("cache", f32, {8, 4}), rows = g.input("rows", f32, {2, 4});
#ifdef WRONG
                         g.output("y", rows * 2); // wrong
#else
                         g.output("y", append(cache, rows, g.scalar("position", i64), 0));
#endif
                       }};
HEED_EXPORT(block);
