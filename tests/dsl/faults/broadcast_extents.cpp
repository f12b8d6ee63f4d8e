// expected: operator +: left is (batch,8,queries,keys), right is (queries,4), the extents keys and 4 must be
// equal or one of them 1 (axes are matched from the right)
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};
#ifdef WRONG
constexpr extent bias_width = 4;
#else
constexpr extent bias_width = keys;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor scores = g.input("scores", f32, {batch, 8, queries, keys});
                         tensor bias = g.input("bias", f32, {queries, bias_width});
                         g.output("y", softmax(scores + bias)); // wrong
                       }};
HEED_EXPORT(block);
