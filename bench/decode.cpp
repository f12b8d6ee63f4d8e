/// One new token of a decoder over a cache of keys and values, whose heads several heads of queries share.
#include <heed/dsl.hpp>
using namespace heed;

namespace {

constexpr extent batch{"batch"}, keys{"keys"};

constexpr void decode(graph &g, int heads, int key_heads) {
  tensor q = g.input("q", f32, {batch, heads, 1, 128});
  tensor k = g.input("k", f32, {batch, key_heads, keys, 128});
  tensor v = g.input("v", f32, {batch, key_heads, keys, 128});
  g.output("y", attention(q, k, v));
}

} // namespace

constexpr kernel decode_32_8{"decode_32_8", [](graph &g) { decode(g, 32, 8); }};
constexpr kernel decode_8_1{"decode_8_1", [](graph &g) { decode(g, 8, 1); }};

HEED_EXPORT(decode_32_8, decode_8_1);
