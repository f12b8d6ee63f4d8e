// expected: rotary: x is (1,2,tokens,8), cos is (1,tokens,8), sin is (1,tokens,8), tables of shape (batch,
// tokens, dim / 2) are needed; dim is 8
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr int features = 8;
#else
constexpr int features = 4;
#endif

constexpr kernel block{"block", [](graph &g) {
                         constexpr extent tokens{"tokens"};
                         tensor x = g.input("x", f32, {1, 2, tokens, 8});
                         tensor c = g.input("c", f32, {1, tokens, features});
                         g.output("y", rotary(x, c, c)); // wrong
                       }};
HEED_EXPORT(block);
