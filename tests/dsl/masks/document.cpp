#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

namespace {
const std::vector<double> ids = {7, 7, 3, 3, 3, 0};
} // namespace

TEST_CASE("documents do not see each other") {
  constexpr auto &one = masked<[](graph &g) { return document(g.input("ids", i32, {queries})); }>;
  check_mask(one, {{"ids", numbers(ids)}}, {2, 1, 6, 6},
             [](int, int, int q, int k) { return (q < 2) == (k < 2) && (q < 5) == (k < 5); });

  constexpr auto &each = masked<[](graph &g) { return document(g.input("ids", i64, {batch, queries})); }>;
  array two({2, 3});
  two.elements = {1, 1, 2, 2, 1, 1};
  check_mask(each, {{"ids", two}}, {2, 1, 3, 3},
             [](int b, int, int q, int k) { return b == 0 ? (q < 2) == (k < 2) : (q < 1) == (k < 1); });
}

TEST_CASE("queries and keys can have documents of their own") {
  constexpr auto &cross = masked<[](graph &g) {
    return document(g.input("query_ids", i32, {queries}), g.input("key_ids", i32, {keys}));
  }>;
  check_mask(cross, {{"query_ids", numbers({3, 7})}, {"key_ids", numbers(ids)}}, {1, 1, 2, 6},
             [](int, int, int q, int k) { return q == 0 ? k >= 2 && k < 5 : k < 2; });
  CHECK(fault([](graph &g) { document(g.input("ids", f32, {queries})); }) ==
        "document: query ids: they are a tensor (queries) of f32, integers of shape (tokens) or (batch, "
        "tokens) "
        "are needed");
}
