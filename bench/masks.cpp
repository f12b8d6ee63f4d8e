/// Masks and score functions whose time per visible score is compared with that of plain attention. Tensors
/// are (batch, heads, tokens, depth).
#include <heed/dsl.hpp>
using namespace heed;

namespace {

constexpr extent batch{"batch"}, tokens{"tokens"};

/// Self-attention of `heads` heads, each of `key_heads` heads of keys and values serving some of them.
template <class Options>
constexpr void attend(graph &g, int heads, int key_heads, int depth, const Options &options) {
  tensor q = g.input("q", f32, {batch, heads, tokens, depth});
  tensor k = g.input("k", f32, {batch, key_heads, tokens, depth});
  tensor v = g.input("v", f32, {batch, key_heads, tokens, depth});
  g.output("y", attention(q, k, v, options(g)));
}

} // namespace

constexpr kernel dense{"dense",
                       [](graph &g) { attend(g, 8, 8, 64, [](graph &) { return attention_options{}; }); }};

/// 256 visible keys.
constexpr kernel window{"window", [](graph &g) {
                          attend(g, 8, 8, 64,
                                 [](graph &) { return attention_options{.mask = sliding_window(255, 0)}; });
                        }};

constexpr kernel documents{"documents", [](graph &g) {
                             attend(g, 8, 8, 64, [](graph &g) {
                               return attention_options{
                                   .mask = and_masks(causal(), document(g.input("ids", i32, {tokens})))};
                             });
                           }};

constexpr kernel padded{"padded", [](graph &g) {
                          attend(g, 8, 8, 64, [](graph &g) {
                            return attention_options{.mask = padding(g.input("lengths", i32, {batch}))};
                          });
                        }};

constexpr kernel causal_alibi{
    "causal_alibi", [](graph &g) {
      attend(g, 8, 8, 64, [](graph &) { return attention_options{.score_mod = alibi(), .mask = causal()}; });
    }};

constexpr kernel causal_softcap{"causal_softcap", [](graph &g) {
                                  attend(g, 8, 8, 64, [](graph &) {
                                    return attention_options{.score_mod = softcap(30), .mask = causal()};
                                  });
                                }};

constexpr kernel grouped_causal{
    "grouped_causal",
    [](graph &g) { attend(g, 32, 8, 128, [](graph &) { return attention_options{.mask = causal()}; }); }};

HEED_EXPORT(dense);
HEED_EXPORT(window);
HEED_EXPORT(documents);
HEED_EXPORT(padded);
HEED_EXPORT(causal_alibi);
HEED_EXPORT(causal_softcap);
HEED_EXPORT(grouped_causal);
