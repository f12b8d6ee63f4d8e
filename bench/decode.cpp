/// One new token of a decoder over a cache of keys and values, whose heads several heads of queries may
/// share, and a layer for it.
#include <heed/dsl.hpp>
using namespace heed;

namespace {

constexpr extent batch{"batch"}, keys{"keys"}, tokens{"tokens"};

constexpr void decode(graph &g, int heads, int key_heads, dtype query, dtype cache) {
  tensor q = g.input("q", query, {batch, heads, 1, 128});
  tensor k = g.input("k", cache, {batch, key_heads, keys, 128});
  tensor v = g.input("v", cache, {batch, key_heads, keys, 128});
  g.output("y", attention(q, k, v));
}

constexpr void project(graph &g, dtype x, dtype w) {
  g.output("y", linear(g.input("x", x, {tokens, 4096}), g.weight("w", w, {4096, 4096})));
}

} // namespace

constexpr kernel decode_8_8{"decode_8_8", [](graph &g) { decode(g, 8, 8, f32, f32); }};
constexpr kernel decode_32_8{"decode_32_8", [](graph &g) { decode(g, 32, 8, f32, f32); }};
constexpr kernel decode_8_1{"decode_8_1", [](graph &g) { decode(g, 8, 1, f32, f32); }};
constexpr kernel bf16_decode{"bf16_decode", [](graph &g) { decode(g, 8, 8, bf16, bf16); }};
constexpr kernel bf16_decode_32_8{"bf16_decode_32_8", [](graph &g) { decode(g, 32, 8, bf16, bf16); }};
constexpr kernel bf16_decode_8_1{"bf16_decode_8_1", [](graph &g) { decode(g, 8, 1, bf16, bf16); }};
constexpr kernel f16_decode{"f16_decode", [](graph &g) { decode(g, 8, 8, f16, f16); }};
constexpr kernel bf16_cache_decode{"bf16_cache_decode", [](graph &g) { decode(g, 8, 8, f32, bf16); }};
constexpr kernel project_f32{"project_f32", [](graph &g) { project(g, f32, f32); }};
constexpr kernel project_bf16{"project_bf16", [](graph &g) { project(g, bf16, bf16); }};
constexpr kernel project_f16{"project_f16", [](graph &g) { project(g, f16, f16); }};

HEED_EXPORT(decode_8_8, decode_32_8, decode_8_1, bf16_decode, bf16_decode_32_8, bf16_decode_8_1, f16_decode,
            bf16_cache_decode, project_f32, project_bf16, project_f16);
