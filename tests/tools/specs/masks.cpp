// Every mask of the library.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"}, tokens{"tokens"}, height{"height"};

constexpr void attend(graph &g, const extent &rows, const extent &columns, const auto &make) {
  tensor q = g.input("q", f32, {batch, 3, rows, 8});
  tensor k = g.input("k", f32, {batch, 3, columns, 8}), v = g.input("v", f32, {batch, 3, columns, 12});
  g.output("y", attention(q, k, v, {.mask = make(g)}));
}

template <auto make> constexpr auto cross(const char *name) {
  return kernel{name, [](graph &g) { attend(g, queries, keys, make); }};
}
template <auto make> constexpr auto own(const char *name) {
  return kernel{name, [](graph &g) { attend(g, tokens, tokens, make); }};
}

constexpr auto bottom_right =
    cross<[](graph &) { return causal_bottom_right(queries, keys); }>("bottom_right");
constexpr auto after_number = cross<[](graph &) { return causal_from(3); }>("after_number");
constexpr auto after_scalar =
    cross<[](graph &g) { return causal_from(g.scalar("past", i64)); }>("after_scalar");
constexpr auto after_each =
    cross<[](graph &g) { return causal_from(g.input("past", i32, {batch})); }>("after_each");
constexpr auto gaps = cross<[](graph &) { return dilated(3, 2); }>("gaps");
constexpr auto global = cross<[](graph &) { return global_and_window(2, 5, 1); }>("global");
constexpr auto streaming =
    own<[](graph &) { return and_masks(causal(), global_and_window(4, 20, 0)); }>("streaming");
constexpr auto prefix = cross<[](graph &g) { return prefix_lm(g.input("prefix", i32, {batch})); }>("prefix");
constexpr auto padded = cross<[](graph &g) { return padding(g.input("lengths", i32, {batch})); }>("padded");
constexpr auto documents =
    own<[](graph &g) { return document(g.input("ids", i32, {batch, tokens})); }>("documents");
constexpr auto packed =
    own<[](graph &g) { return and_masks(causal(), document(g.input("ids", i64, {tokens}))); }>("packed");
constexpr auto document_pairs = cross<[](graph &g) {
  return document(g.input("query_ids", i32, {queries}), g.input("key_ids", i32, {batch, keys}));
}>("document_pairs");
constexpr auto continuations =
    own<[](graph &g) { return shared_prefix(g.scalar("prefix", i64), g.input("ids", i32, {tokens})); }>(
        "continuations");
constexpr auto drafts = cross<[](graph &g) {
  return tree(g.input("ancestors", b8, {queries, queries}), g.scalar("context", i64));
}>("drafts");
constexpr auto drafts_each = cross<[](graph &g) {
  return tree(g.input("ancestors", i32, {batch, queries, queries}), g.input("context", i32, {batch}));
}>("drafts_each");
constexpr auto images =
    cross<[](graph &g) { return flamingo(g.input("media", i32, {batch, queries}), 5); }>("images");
constexpr auto moved =
    cross<[](graph &g) { return shifted(sliding_window(5, 0), g.scalar("past", i64)); }>("moved");
constexpr auto hidden = cross<[](graph &) { return not_mask(or_masks(causal(), dilated(2, 3))); }>("hidden");

constexpr kernel diffusion{
    "diffusion",
    [](graph &g) { attend(g, tokens * 2, tokens * 2, [](graph &) { return block_diffusion(tokens, 4); }); }};
constexpr kernel neighbors{"neighbors", [](graph &g) {
                             attend(g, height * 9, height * 9,
                                    [](graph &) { return neighborhood_2d(height, 9, 3, 5); });
                           }};

HEED_EXPORT(bottom_right);
HEED_EXPORT(after_number);
HEED_EXPORT(after_scalar);
HEED_EXPORT(after_each);
HEED_EXPORT(gaps);
HEED_EXPORT(global);
HEED_EXPORT(streaming);
HEED_EXPORT(prefix);
HEED_EXPORT(padded);
HEED_EXPORT(documents);
HEED_EXPORT(packed);
HEED_EXPORT(document_pairs);
HEED_EXPORT(continuations);
HEED_EXPORT(drafts);
HEED_EXPORT(drafts_each);
HEED_EXPORT(images);
HEED_EXPORT(moved);
HEED_EXPORT(hidden);
HEED_EXPORT(diffusion);
HEED_EXPORT(neighbors);
