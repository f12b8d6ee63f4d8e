#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

namespace {
/// Whether `key` is one of the `kernel` nearest places to `query` in [0, size), the window moved inside.
bool is_near(int query, int key, int size, int kernel) {
  int start = query - kernel / 2;
  while (start < 0)
    ++start;
  while (start + kernel > size)
    --start;
  return key >= start && key < start + kernel;
}
} // namespace

TEST_CASE("every pixel sees a window of the same size") {
  constexpr auto &numbers = masked<[](graph &) { return neighborhood_2d(5, 4, 3, 2); }>;
  check_mask(numbers, {}, {1, 1, 20, 20}, [](int, int, int q, int k) {
    return is_near(q / 4, k / 4, 5, 3) && is_near(q % 4, k % 4, 4, 2);
  });
  constexpr auto &symbols = masked<[](graph &g) {
    g.input("image", f32, {heads, batch});
    return neighborhood_2d(heads, batch, 3, 3);
  }>;
  check_mask(symbols, {{"image", array({4, 3})}}, {3, 4, 12, 12}, [](int, int, int q, int k) {
    return is_near(q / 3, k / 3, 4, 3) && is_near(q % 3, k % 3, 3, 3);
  });
}
