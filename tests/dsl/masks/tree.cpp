#include "../library.hpp"

#include <algorithm>

using namespace heed;
using namespace heed::testing;

namespace {
// Drafts 0 - 1 - 3 and 0 - 2: a draft's ancestors and itself.
const std::vector<double> ancestors = {1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1};
constexpr int parents[] = {-1, 0, 0, 1};

bool is_ancestor(int draft, int other) {
  return draft == other || (parents[draft] >= 0 && is_ancestor(parents[draft], other));
}
} // namespace

TEST_CASE("tree shows the context and the drafts that a draft continues") {
  constexpr auto &by_scalar =
      masked<[](graph &g) { return tree(g.input("ancestors", b8, {4, 4}), g.scalar("context", i32)); }>;
  array matrix({4, 4});
  matrix.elements = ancestors;
  // Two keys after the drafts are hidden.
  check_mask(by_scalar, {{"ancestors", matrix}, {"context", number(3)}}, {1, 1, 4, 9},
             [](int, int, int q, int k) { return k < 3 || (k < 7 && is_ancestor(q, k - 3)); });

  constexpr auto &by_entry = masked<[](graph &g) {
    return tree(g.input("ancestors", i32, {batch, queries, queries}), g.input("context", i64, {batch}));
  }>;
  array matrices({2, 4, 4}, 1);
  std::copy(ancestors.begin(), ancestors.end(), matrices.elements.begin());
  check_mask(by_entry, {{"ancestors", matrices}, {"context", numbers({0, 2})}}, {2, 1, 4, 6},
             [](int b, int, int q, int k) { return b == 0 ? k < 4 && is_ancestor(q, k) : true; });
  CHECK(fault([](graph &g) { tree(g.input("ancestors", b8, {4}), 3); }) ==
        "tree: ancestors are (4), (drafts, drafts) or (batch, drafts, drafts) are needed");
}
