#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("text sees its last image") {
  constexpr auto &images =
      masked<[](graph &g) { return flamingo(g.input("media", i32, {batch, queries}), 3); }>;
  array media({2, 4});
  media.elements = {0, 1, 1, 2, 1, 1, 2, 2};
  check_mask(images, {{"media", media}}, {2, 1, 4, 6}, [&](int b, int, int q, int k) {
    const double last = media.at({b, q});
    return last > 0 && k >= 3 * (last - 1) && k < 3 * last;
  });
}
