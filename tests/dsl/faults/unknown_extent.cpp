// expected: extent: no input or weight has heads as the extent of an axis, one is needed to know it in a call
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent tokens{"tokens"}, heads{"heads"};
#ifdef WRONG
constexpr extent width = 512;
#else
constexpr extent width = heads * 64;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {1, tokens, width});
                         g.output("y", split_heads(x, heads)); // wrong
                       }};
HEED_EXPORT(block);
