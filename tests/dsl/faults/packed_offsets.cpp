// expected: packed_sequences: offsets are a tensor (ends) of f32, integers of shape (sequences + 1) are
// needed
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent tokens{"tokens"};
#ifdef WRONG
constexpr dtype type = f32;
#else
constexpr dtype type = i32;
#endif

constexpr kernel block{
    "block", [](graph &g) {
      tensor x = g.input("x", f32, {1, 2, tokens, 8}), of = g.input("of", type, {extent("ends")});
      g.output("y", attention(x, x, x, {.mask = packed_sequences(of, tokens, causal())})); // wrong
    }};
HEED_EXPORT(block);
