// expected: embedding: ids are a tensor (tokens) of f32, at most 5 axes of i32 or i64 are needed
#include <heed/dsl.hpp>
using namespace heed;

#ifdef WRONG
constexpr dtype type = f32;
#else
constexpr dtype type = i64;
#endif

constexpr kernel block{"block", [](graph &g) {
                         tensor ids = g.input("ids", type, {extent("tokens")});
                         g.output("y", embedding(ids, g.weight("table", f32, {100, 16}))); // wrong
                       }};
HEED_EXPORT(block);
