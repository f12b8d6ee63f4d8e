/// Attention under every mask and score function of the library. docs/gallery.md is made of this file by
/// draw.py: a comment with a heading is a variant's text, its last paragraph draws the picture, and the
/// kernel after it is shown.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"}, tokens{"tokens"};

constexpr void attend(graph &g, const extent &queries, const extent &keys, const attention_options &options) {
  tensor q = g.input("q", f32, {batch, 4, queries, 16});
  tensor k = g.input("k", f32, {batch, 4, keys, 16}), v = g.input("v", f32, {batch, 4, keys, 16});
  g.output("y", attention(q, k, v, options));
}

/// ## Causal
/// A query sees the keys up to its own index: k ≤ q, the top-left corner when there are more keys than
/// queries. Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3.
///
/// plot mask --size batch=1 --size queries=16 --size keys=24
constexpr kernel causal_mask{"causal", [](graph &g) { attend(g, queries, keys, {.mask = causal()}); }};

/// ## Causal, bottom-right
/// The queries are the last of the keys' tokens: k ≤ q + keys − queries.
///
/// plot mask --size batch=1 --size queries=16 --size keys=24
constexpr kernel causal_bottom_right_mask{
    "causal_bottom_right",
    [](graph &g) { attend(g, queries, keys, {.mask = causal_bottom_right(queries, keys)}); }};

/// ## Causal after a cache
/// Query 0 is token `past` of the keys: k ≤ q + past, with past a number, a scalar argument or a tensor
/// (batch).
///
/// plot mask --size batch=1 --size queries=8 --size keys=24 --in past=12
constexpr kernel causal_from_mask{
    "causal_from", [](graph &g) { attend(g, queries, keys, {.mask = causal_from(g.scalar("past", i64))}); }};

/// ## Sliding window
/// A query sees the keys around its own index: q − left ≤ k ≤ q + right. A negative bound is none; with a
/// right of 0 the window is causal. Beltagy et al. 2020 (Longformer), arXiv:2004.05150.
///
/// plot mask --size batch=1 --size tokens=24
constexpr kernel sliding_window_mask{
    "sliding_window", [](graph &g) { attend(g, tokens, tokens, {.mask = sliding_window(5, 2)}); }};

/// ## Dilated window
/// A window with gaps: k = q + j · stride with |j| ≤ window. Beltagy et al. 2020 (Longformer),
/// arXiv:2004.05150.
///
/// plot mask --size batch=1 --size tokens=24
constexpr kernel dilated_mask{"dilated",
                              [](graph &g) { attend(g, tokens, tokens, {.mask = dilated(3, 2)}); }};

/// ## Global tokens and a window
/// The first tokens are seen by all and see all; the others have a window. Beltagy et al. 2020 (Longformer),
/// arXiv:2004.05150; Zaheer et al. 2020 (BigBird), arXiv:2007.14062.
///
/// plot mask --size batch=1 --size tokens=24
constexpr kernel global_and_window_mask{
    "global_and_window", [](graph &g) { attend(g, tokens, tokens, {.mask = global_and_window(3, 2, 2)}); }};

/// ## Attention sinks of streaming
/// A causal window and the first tokens. Masks are joined with and_masks, or_masks and not_mask. Xiao et al.
/// 2023 (StreamingLLM), arXiv:2309.17453.
///
/// plot mask --size batch=1 --size tokens=24
constexpr kernel streaming_mask{
    "streaming",
    [](graph &g) { attend(g, tokens, tokens, {.mask = and_masks(causal(), global_and_window(2, 5, 0))}); }};

/// ## Prefix-LM
/// Bidirectional in the prefix, causal after it: k ≤ q or k < prefix[b]. Raffel et al. 2020 (T5),
/// arXiv:1910.10683, section 3.2.1.
///
/// plot mask --size tokens=24 --in prefix=7
constexpr kernel prefix_lm_mask{
    "prefix_lm",
    [](graph &g) { attend(g, tokens, tokens, {.mask = prefix_lm(g.input("prefix", i32, {batch}))}); }};

/// ## Documents
/// Several documents packed into one sequence don't see each other: ids[q] = ids[k], here causal as well.
/// Krell et al. 2021, arXiv:2107.02027.
///
/// plot mask --size batch=1 --in ids=0,0,0,0,0,0,0,0,0,1,1,1,1,1,2,2,2,2,2,2,2,3,3,3
constexpr kernel document_mask{"document", [](graph &g) {
                                 tensor ids = g.input("ids", i32, {tokens});
                                 attend(g, tokens, tokens, {.mask = and_masks(causal(), document(ids))});
                               }};

/// ## Padding
/// Keys from the length of their batch entry on are hidden: k < lengths[b].
///
/// plot mask --size queries=16 --size keys=24 --in lengths=17
constexpr kernel padding_mask{"padding", [](graph &g) {
                                attend(g, queries, keys, {.mask = padding(g.input("lengths", i32, {batch}))});
                              }};

/// ## Shared prefix
/// Continuations of one prefix, packed into one sequence: k ≤ q, and k < prefix or ids[q] = ids[k]. Juravsky
/// et al. 2024 (Hydragen), arXiv:2402.05099.
///
/// plot mask --size batch=1 --in prefix=8 --in ids=0,0,0,0,0,0,0,0,1,1,1,1,1,2,2,2,2,2,2,3,3,3,3,3
constexpr kernel shared_prefix_mask{"shared_prefix", [](graph &g) {
                                      tensor ids = g.input("ids", i32, {tokens});
                                      attend(g, tokens, tokens,
                                             {.mask = shared_prefix(g.scalar("prefix", i64), ids)});
                                    }};

/// ## Tree of drafts
/// Drafts for speculative decoding see the context, themselves and the drafts that they continue: k < context
/// or ancestors[q, k − context]. Miao et al. 2023 (SpecInfer), arXiv:2305.09781; Cai et al. 2024 (Medusa),
/// arXiv:2401.10774. The picture has a binary tree, whose draft i continues draft (i − 1) / 2.
///
/// plot mask --size batch=1 --size keys=16 --in context=9
constexpr kernel tree_mask{"tree", [](graph &g) {
                             tensor ancestors = tabulate(g, b8, {7, 7}, [](index draft, index other) {
                               scalar parent = (draft - 1) / 2;
                               return other == draft ||
                                      (draft > 0 &&
                                       (other == parent || (parent > 0 && other == (parent - 1) / 2)));
                             });
                             attend(g, 7, keys, {.mask = tree(ancestors, g.scalar("context", i64))});
                           }};

/// ## Block diffusion
/// Noised tokens, then clean ones, in blocks: noised queries see their own noised block and earlier clean
/// ones, clean queries the clean blocks up to their own. Arriola et al. 2025 (BD3-LM), arXiv:2503.09573,
/// section 3.2.
///
/// plot mask --size batch=1 --size tokens=12
constexpr kernel block_diffusion_mask{
    "block_diffusion",
    [](graph &g) { attend(g, tokens * 2, tokens * 2, {.mask = block_diffusion(tokens, 4)}); }};

/// ## Neighbourhood in two dimensions
/// Every pixel of an image sees those around it, moved so that they lie within the image. Hassani et al. 2022
/// (NAT), arXiv:2204.07143. The picture has 6 × 8 pixels and neighbourhoods of 3 × 3.
///
/// plot mask --size batch=1
constexpr kernel neighborhood_2d_mask{
    "neighborhood_2d", [](graph &g) { attend(g, 48, 48, {.mask = neighborhood_2d(6, 8, 3, 3)}); }};

/// ## Text that sees its last image
/// Keys are `latents` tokens of each image; media[q] counts the images before text token q. Alayrac et al.
/// 2022 (Flamingo), arXiv:2204.14198, section 2.3.
///
/// plot mask --size batch=1 --size keys=12 --in media=0,0,1,1,1,1,1,2,2,2,2,3,3,3,3,3
constexpr kernel flamingo_mask{
    "flamingo",
    [](graph &g) { attend(g, queries, keys, {.mask = flamingo(g.input("media", i32, {queries}), 4)}); }};

/// ## A mask after a cache
/// Any mask or score function for queries that don't begin at token 0: q + past in place of q.
///
/// plot mask --size batch=1 --size queries=8 --size keys=24 --in past=12
constexpr kernel shifted_mask{"shifted", [](graph &g) {
                                attend(g, queries, keys,
                                       {.mask = shifted(sliding_window(6, 0), g.scalar("past", i64))});
                              }};

/// ## ALiBi
/// Scores that fall with the distance, by a slope for each head: score − slope[h] · |q − k|. Press et al.
/// 2021, arXiv:2108.12409. The picture is of the first of four heads.
///
/// plot scores --size batch=1 --size tokens=24
constexpr kernel alibi_scores{
    "alibi", [](graph &g) { attend(g, tokens, tokens, {.score_mod = alibi(), .mask = causal()}); }};

/// ## Relative bias
/// A learned number for each distance and head: score + table[h, q − k + (width − 1) / 2]. Shaw et al. 2018,
/// arXiv:1803.02155. The picture's table is a wave.
///
/// plot scores --size batch=1 --size tokens=24
constexpr kernel relative_bias_scores{
    "relative_bias", [](graph &g) {
      tensor table = tabulate(g, f32, {4, 47}, [](index, index column) { return cos((column - 23) * 0.5); });
      attend(g, tokens, tokens, {.score_mod = relative_bias(table)});
    }};

/// ## T5 buckets
/// A learned number for each bucket of distances and each head; far buckets grow geometrically. Raffel et al.
/// 2020 (T5), arXiv:1910.10683, section 2.1. The picture's table holds the numbers of the buckets.
///
/// plot scores --size batch=1 --size tokens=24
constexpr kernel t5_bias_scores{
    "t5_bias", [](graph &g) {
      tensor table = tabulate(g, f32, {16, 4}, [](index bucket, index) { return bucket * 0.25; });
      attend(g, tokens, tokens, {.score_mod = t5_bias(table, {.max_distance = 24})});
    }};

/// ## Softcap
/// Scores that stay within a bound: cap · tanh(score / cap), here after ALiBi; compose applies score
/// functions from left to right. Gemma 2, 2024, arXiv:2408.00118, section 2.
///
/// plot scores --size batch=1 --size tokens=24
constexpr kernel softcap_scores{"softcap", [](graph &g) {
                                  attend(g, tokens, tokens,
                                         {.score_mod = compose(alibi(), softcap(2)), .mask = causal()});
                                }};

HEED_EXPORT(causal_mask);
HEED_EXPORT(causal_bottom_right_mask);
HEED_EXPORT(causal_from_mask);
HEED_EXPORT(sliding_window_mask);
HEED_EXPORT(dilated_mask);
HEED_EXPORT(global_and_window_mask);
HEED_EXPORT(streaming_mask);
HEED_EXPORT(prefix_lm_mask);
HEED_EXPORT(document_mask);
HEED_EXPORT(padding_mask);
HEED_EXPORT(shared_prefix_mask);
HEED_EXPORT(tree_mask);
HEED_EXPORT(block_diffusion_mask);
HEED_EXPORT(neighborhood_2d_mask);
HEED_EXPORT(flamingo_mask);
HEED_EXPORT(shifted_mask);
HEED_EXPORT(alibi_scores);
HEED_EXPORT(relative_bias_scores);
HEED_EXPORT(t5_bias_scores);
HEED_EXPORT(softcap_scores);
