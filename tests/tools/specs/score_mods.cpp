// Every score function of the library, alone, composed, and before and after a mask.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

struct operands {
  tensor q, k, v;
};

constexpr operands inputs(graph &g, int heads) {
  return {g.input("q", f32, {batch, heads, queries, 8}), g.input("k", f32, {batch, heads, keys, 8}),
          g.input("v", f32, {batch, heads, keys, 12})};
}

template <auto make, int heads = 3> constexpr auto changed(const char *name) {
  return kernel{name, [](graph &g) {
                  const auto [q, k, v] = inputs(g, heads);
                  g.output("y", attention(q, k, v, {.score_mod = make(g), .mask = causal()}));
                }};
}

constexpr auto sloped = changed<[](graph &) { return alibi(); }, 12>("sloped");
constexpr auto slopes = changed<[](graph &g) { return alibi(g.weight("slopes", f32, {3})); }>("slopes");
constexpr auto sloped_after =
    changed<[](graph &g) { return shifted(alibi(), g.scalar("past", i64)); }>("sloped_after");
constexpr auto capped = changed<[](graph &) { return softcap(2); }>("capped");
constexpr auto relative =
    changed<[](graph &g) { return relative_bias(g.weight("table", f32, {3, 31})); }>("relative");
constexpr auto buckets =
    changed<[](graph &g) { return t5_bias(g.weight("table", f32, {32, 3})); }>("buckets");
constexpr auto causal_buckets = changed<[](graph &g) {
  return t5_bias(g.weight("table", f32, {16, 3}), {.bidirectional = false, .max_distance = 30});
}>("causal_buckets");
constexpr auto composed = changed<[](graph &g) {
  return compose(alibi(), softcap(3), relative_bias(g.weight("table", f32, {3, 7})), softcap(4));
}>("composed");

/// Softcap after the mask makes hidden scores visible at -2.
constexpr kernel cap_after_mask{"cap_after_mask", [](graph &g) {
                                  const auto [q, k, v] = inputs(g, 3);
                                  tensor scores = mask(matmul(q, transpose(k)), causal());
                                  g.output("y", matmul(softmax(score_mod(scores, softcap(2))), v));
                                }};
constexpr kernel changed_weights{
    "changed_weights", [](graph &g) {
      const auto [q, k, v] = inputs(g, 3);
      tensor weights = softmax(mask(matmul(q, transpose(k)), causal()));
      weights = score_mod(weights, [](value w, index, index h, index, index) { return w * w * (h + 1); });
      g.output("y", matmul(weights, v));
    }};

HEED_EXPORT(sloped);
HEED_EXPORT(slopes);
HEED_EXPORT(sloped_after);
HEED_EXPORT(capped);
HEED_EXPORT(relative);
HEED_EXPORT(buckets);
HEED_EXPORT(causal_buckets);
HEED_EXPORT(composed);
HEED_EXPORT(cap_after_mask);
HEED_EXPORT(changed_weights);
