// expected: input: the name is key states, a C identifier is needed (letters, digits and underscores, no
// keyword)
#include <heed/dsl.hpp>
using namespace heed;

constexpr kernel block{"block", [](graph &g) {
#ifdef WRONG
                         tensor x = g.input("key states", f32, {8}); // wrong
#else
                         tensor x = g.input("key_states", f32, {8});
#endif
                         g.output("y", softmax(x));
                       }};
HEED_EXPORT(block);
