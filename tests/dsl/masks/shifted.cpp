#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("shifted moves the queries of masks and score functions") {
  constexpr auto &window =
      masked<[](graph &g) { return shifted(sliding_window(1, 0), g.scalar("past", i64)); }>;
  check_mask(window, {{"past", number(3)}}, {1, 1, 3, 7},
             [](int, int, int q, int k) { return k == q + 3 || k == q + 2; });

  constexpr auto &distance = changed<2, [](graph &g) {
    return shifted([](value s, index, index, index q, index k) { return s + (q - k); },
                   g.input("past", i64, {batch}));
  }>;
  check_score_mod(distance, {{"past", numbers({5, 0})}}, {2, 2, 3, 4},
                  [](double s, int b, int, int q, int k) { return s + q + (b == 0 ? 5 : 0) - k; });
}
