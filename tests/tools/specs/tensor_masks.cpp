// Mask tensors of every broadcast shape of (batch, heads, queries, keys), of fewer axes, and of every type.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"};

constexpr void attend(graph &g, const tensor &visible) {
  tensor q = g.input("q", f32, {batch, heads, queries, 20});
  tensor k = g.input("k", f32, {batch, heads, keys, 20});
  tensor v = g.input("v", f32, {batch, heads, keys, 12});
  tensor scores = matmul(q, transpose(k)) / sqrt(20);
  g.output("y", matmul(softmax(where(visible, scores, -infinity)), v));
}

/// Bit i of `axes` says whether axis i of the mask is broadcast.
template <int axes, dtype type = b8> constexpr auto masked(const char *name) {
  return kernel{name, [](graph &g) {
                  attend(g, g.input("visible", type,
                                    {axes & 1 ? extent(1) : batch, axes & 2 ? extent(1) : heads,
                                     axes & 4 ? extent(1) : queries, axes & 8 ? extent(1) : keys}));
                }};
}

constexpr auto b8_bhqk = masked<0>("b8_bhqk");
constexpr auto b8_1hqk = masked<1>("b8_1hqk");
constexpr auto b8_b1qk = masked<2>("b8_b1qk");
constexpr auto b8_11qk = masked<3>("b8_11qk");
constexpr auto b8_bh1k = masked<4>("b8_bh1k");
constexpr auto b8_1h1k = masked<5>("b8_1h1k");
constexpr auto b8_b11k = masked<6>("b8_b11k");
constexpr auto b8_111k = masked<7>("b8_111k");
constexpr auto b8_bhq1 = masked<8>("b8_bhq1");
constexpr auto b8_1hq1 = masked<9>("b8_1hq1");
constexpr auto b8_b1q1 = masked<10>("b8_b1q1");
constexpr auto b8_11q1 = masked<11>("b8_11q1");
constexpr auto b8_bh11 = masked<12>("b8_bh11");
constexpr auto b8_1h11 = masked<13>("b8_1h11");
constexpr auto b8_b111 = masked<14>("b8_b111");
constexpr auto b8_1111 = masked<15>("b8_1111");
constexpr auto i32_bhqk = masked<0, i32>("i32_bhqk");
constexpr auto i32_b11k = masked<6, i32>("i32_b11k");
constexpr auto f32_bhqk = masked<0, f32>("f32_bhqk");
constexpr auto f32_11qk = masked<3, f32>("f32_11qk");

constexpr kernel b8_qk{"b8_qk", [](graph &g) { attend(g, g.input("visible", b8, {queries, keys})); }};
constexpr kernel b8_hqk{"b8_hqk",
                        [](graph &g) { attend(g, g.input("visible", b8, {heads, queries, keys})); }};
constexpr kernel b8_k{"b8_k", [](graph &g) { attend(g, g.input("visible", b8, {keys})); }};

HEED_EXPORT(b8_bhqk);
HEED_EXPORT(b8_1hqk);
HEED_EXPORT(b8_b1qk);
HEED_EXPORT(b8_11qk);
HEED_EXPORT(b8_bh1k);
HEED_EXPORT(b8_1h1k);
HEED_EXPORT(b8_b11k);
HEED_EXPORT(b8_111k);
HEED_EXPORT(b8_bhq1);
HEED_EXPORT(b8_1hq1);
HEED_EXPORT(b8_b1q1);
HEED_EXPORT(b8_11q1);
HEED_EXPORT(b8_bh11);
HEED_EXPORT(b8_1h11);
HEED_EXPORT(b8_b111);
HEED_EXPORT(b8_1111);
HEED_EXPORT(i32_bhqk);
HEED_EXPORT(i32_b11k);
HEED_EXPORT(f32_bhqk);
HEED_EXPORT(f32_11qk);
HEED_EXPORT(b8_qk);
HEED_EXPORT(b8_hqk);
HEED_EXPORT(b8_k);
