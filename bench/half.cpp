/// Attention of 16-bit floats, of which that of f32 is in examples. Tensors are (batch, heads, tokens,
/// depth).
#include <heed/dsl.hpp>
using namespace heed;

namespace {

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"};

template <dtype type> constexpr void attend(graph &g, int depth, bool is_causal) {
  tensor q = g.input("q", type, {batch, heads, queries, depth});
  tensor k = g.input("k", type, {batch, heads, keys, depth});
  tensor v = g.input("v", type, {batch, heads, keys, depth});
  g.output("y", is_causal ? attention(q, k, v, attention_options{.mask = causal()}) : attention(q, k, v));
}

} // namespace

constexpr kernel bf16_d64{"bf16_d64", [](graph &g) { attend<bf16>(g, 64, false); }};
constexpr kernel bf16_d128{"bf16_d128", [](graph &g) { attend<bf16>(g, 128, false); }};
constexpr kernel bf16_d64_causal{"bf16_d64_causal", [](graph &g) { attend<bf16>(g, 64, true); }};
constexpr kernel bf16_d128_causal{"bf16_d128_causal", [](graph &g) { attend<bf16>(g, 128, true); }};
constexpr kernel f16_d64{"f16_d64", [](graph &g) { attend<f16>(g, 64, false); }};

HEED_EXPORT(bf16_d64, bf16_d128, bf16_d64_causal, bf16_d128_causal, f16_d64);
