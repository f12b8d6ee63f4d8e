// expected: matmul: left is (batch,queries,64), right is (batch,keys,64), the last axis of left must equal
// the last but one of right; did you mean transpose(right)?
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

constexpr kernel block{"block", [](graph &g) {
                         tensor q = g.input("q", f32, {batch, queries, 64});
                         tensor k = g.input("k", f32, {batch, keys, 64});
#ifdef WRONG
                         tensor scores = matmul(q, k); // wrong
#else
                         tensor scores = matmul(q, transpose(k));
#endif
                         g.output("y", softmax(scores));
                       }};
HEED_EXPORT(block);
