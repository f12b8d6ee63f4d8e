// expected: document: query ids: they are a tensor (1,4,1) of i32, integers of shape (tokens) or (batch,
// tokens) are needed
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
                         tensor s = g.input("s", f32, {1, 1, 4, 4});
#ifdef WRONG
                         s = mask(s, document(g.input("ids", i32, {1, 4, 1}))); // wrong
#else
                         s = mask(s, document(g.input("ids", i32, {1, 4})));
#endif
                         g.output("y", softmax(s));
                       }};
HEED_EXPORT(block);
