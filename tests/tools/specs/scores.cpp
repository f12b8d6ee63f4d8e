// What users do to scores: scale and mask in any order, biases, fills, caps, and several of them.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"};

struct operands {
  tensor q, k, v, visible;
  constexpr tensor scores() const { return matmul(q, transpose(k)); }
};

constexpr operands inputs(graph &g) {
  return {g.input("q", f32, {batch, heads, queries, 16}), g.input("k", f32, {batch, heads, keys, 16}),
          g.input("v", f32, {batch, heads, keys, 16}), g.input("visible", b8, {batch, 1, queries, keys})};
}

template <auto change> constexpr auto changed(const char *name) {
  return kernel{name, [](graph &g) {
                  operands in = inputs(g);
                  g.output("y", matmul(softmax(change(g, in)), in.v));
                }};
}

constexpr auto scale_then_mask =
    changed<[](graph &, const operands &in) { return where(in.visible, in.scores() / 4.0, -infinity); }>(
        "scale_then_mask");
constexpr auto mask_then_scale =
    changed<[](graph &, const operands &in) { return where(in.visible, in.scores(), -infinity) / 4.0; }>(
        "mask_then_scale");
constexpr auto inverted_mask =
    changed<[](graph &, const operands &in) { return where(!in.visible, -infinity, in.scores() * 0.25); }>(
        "inverted_mask");
constexpr auto finite_fill =
    changed<[](graph &, const operands &in) { return where(in.visible, in.scores() / 4.0, -1e9); }>(
        "finite_fill");
constexpr auto fill_then_scale =
    changed<[](graph &, const operands &in) { return where(in.visible, in.scores(), -1e9) / 4.0; }>(
        "fill_then_scale");
constexpr auto bias = changed<[](graph &g, const operands &in) {
  return where(in.visible, in.scores() / 4.0 + g.input("bias", f32, {heads, queries, keys}), -infinity);
}>("bias");
constexpr auto bias_per_key = changed<[](graph &g, const operands &in) {
  return in.scores() / 4.0 + g.input("bias", f32, {batch, 1, 1, keys}) + where(in.visible, 0.0, -infinity);
}>("bias_per_key");
constexpr auto two_masks = changed<[](graph &, const operands &in) {
  tensor causal = mask(in.scores() / 4.0, [](index, index, index q, index k) { return k <= q; });
  return where(in.visible, causal, -infinity);
}>("two_masks");
constexpr auto scaled_query = changed<[](graph &, const operands &in) {
  return where(in.visible, matmul(in.q * 0.25, transpose(in.k)), -infinity);
}>("scaled_query");
constexpr auto slopes = changed<[](graph &g, const operands &in) {
  tensor slope = g.input("slope", f32, {heads});
  tensor scores = score_mod(
      in.scores() / 4.0, [&](value s, index, index h, index q, index k) { return s + slope(h) * (k - q); });
  return where(in.visible, scores, -infinity);
}>("slopes");
constexpr auto capped = changed<[](graph &, const operands &in) {
  tensor scores =
      score_mod(in.scores(), [](value s, index, index, index, index) { return 2.0 * tanh(s / 2.0); });
  return where(in.visible, scores, -infinity);
}>("capped");
constexpr auto documents = changed<[](graph &g, const operands &in) {
  tensor query_ids = g.input("query_ids", i32, {batch, queries}),
         key_ids = g.input("key_ids", i32, {batch, keys});
  return mask(in.scores() / 4.0,
              [&](index b, index, index q, index k) { return k <= q && query_ids(b, q) == key_ids(b, k); });
}>("documents");
HEED_EXPORT(scale_then_mask);
HEED_EXPORT(mask_then_scale);
HEED_EXPORT(inverted_mask);
HEED_EXPORT(finite_fill);
HEED_EXPORT(fill_then_scale);
HEED_EXPORT(bias);
HEED_EXPORT(bias_per_key);
HEED_EXPORT(two_masks);
HEED_EXPORT(scaled_query);
HEED_EXPORT(slopes);
HEED_EXPORT(capped);
HEED_EXPORT(documents);
