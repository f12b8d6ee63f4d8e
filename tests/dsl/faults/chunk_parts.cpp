// expected: chunk: axis -1 of x (2,8) is 8, a multiple of 3 is needed for 3 equal parts; write slice for
// parts that differ
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr extent width = 8;
#else
constexpr extent width = 9;
#endif

constexpr kernel block{"block", [](graph &g) {
                         auto [q, k, v] = chunk<3>(g.input("x", f32, {2, width}), -1); // wrong
                         g.output("y", q + k + v);
                       }};
HEED_EXPORT(block);
