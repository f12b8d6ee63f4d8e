// expected: state: cache is used by another operation than append, append alone can; use the tensor that
// append(state, rows, position, axis) returns
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor cache = g.state("cache", f32, {8, 4}), rows = g.input("rows", f32, {2, 4});
                         tensor all = append(cache, rows, g.scalar("position", i64), 0);
#ifdef WRONG
                         all = cache;
#endif
                         g.output("y", matmul(rows, transpose(all))); // wrong
                       }};
HEED_EXPORT(block);
