// expected: attention: q is (1,3,queries,8), k is (1,2,keys,8), 3 heads of q do not divide by 2, a multiple
// is needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr int heads = 3;
#else
constexpr int heads = 4;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor q = g.input("q", f32, {1, heads, extent("queries"), 8});
                         tensor k = g.input("k", f32, {1, 2, extent("keys"), 8});
                         g.output("y", attention(q, k, k)); // wrong
                       }};
HEED_EXPORT(block);
