#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("dilated shows every stride-th key of a window") {
  constexpr auto &gaps = masked<[](graph &) { return dilated(2, 3); }>;
  check_mask(gaps, {}, {1, 1, 9, 9}, [](int, int, int q, int k) {
    for (int j = -2; j <= 2; ++j)
      if (k == q + 3 * j)
        return true;
    return false;
  });
  constexpr auto &dense = masked<[](graph &) { return dilated(2, 1); }>;
  check_mask(dense, {}, {1, 1, 5, 8}, [](int, int, int q, int k) { return k >= q - 2 && k <= q + 2; });
}
