// Masks that depend on indices: both causal corners, windows, blocks, heads, and combinations.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, queries{"queries"}, keys{"keys"};

template <auto keep> constexpr auto masked(const char *name) {
  return kernel{name, [](graph &g) {
                  tensor q = g.input("q", f32, {batch, heads, queries, 24});
                  tensor k = g.input("k", f32, {batch, heads, keys, 24});
                  tensor v = g.input("v", f32, {batch, heads, keys, 24});
                  g.output("y", matmul(softmax(mask(matmul(q, transpose(k)) / sqrt(24), keep)), v));
                }};
}

constexpr auto top_left = masked<[](index, index, index q, index k) { return k <= q; }>("top_left");
constexpr auto bottom_right =
    masked<[](index, index, index q, index k) { return k - keys <= q - queries; }>("bottom_right");
constexpr auto window_left =
    masked<[](index, index, index q, index k) { return k <= q && q - k < 16; }>("window_left");
constexpr auto window_both =
    masked<[](index, index, index q, index k) { return abs(q - k) <= 3; }>("window_both");
constexpr auto window_ahead =
    masked<[](index, index, index q, index k) { return q < k && k <= q + 70; }>("window_ahead");
constexpr auto itself = masked<[](index, index, index q, index k) { return q == k; }>("itself");
constexpr auto prefix = masked<[](index, index, index q, index k) { return k <= q || k < 10; }>("prefix");
constexpr auto block_diagonal =
    masked<[](index, index, index q, index k) { return q / 8 == k / 8; }>("block_diagonal");
constexpr auto strided = masked<[](index, index, index q, index k) { return (q - k) % 5 == 0; }>("strided");
constexpr auto heads_differ =
    masked<[](index, index h, index q, index k) { return k <= q + 2 * h; }>("heads_differ");
constexpr auto batches_differ =
    masked<[](index b, index, index, index k) { return k < 7 * b; }>("batches_differ");
constexpr auto nothing = masked<[](index, index, index q, index) { return q < 0; }>("nothing");
constexpr auto far_away = masked<[](index, index, index q, index k) { return k >= q + 200; }>("far_away");
constexpr auto complement =
    masked<[](index, index, index q, index k) { return !(k <= q && q - k < 16); }>("complement");

HEED_EXPORT(top_left);
HEED_EXPORT(bottom_right);
HEED_EXPORT(window_left);
HEED_EXPORT(window_both);
HEED_EXPORT(window_ahead);
HEED_EXPORT(itself);
HEED_EXPORT(prefix);
HEED_EXPORT(block_diagonal);
HEED_EXPORT(strided);
HEED_EXPORT(heads_differ);
HEED_EXPORT(batches_differ);
HEED_EXPORT(nothing);
HEED_EXPORT(far_away);
HEED_EXPORT(complement);
