#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

TEST_CASE("global tokens see all and are seen by all") {
  constexpr auto &both = masked<[](graph &) { return global_and_window(2, 1, 0); }>;
  const auto visible = [](int, int, int q, int k) { return k < 2 || q < 2 || k == q || k == q - 1; };
  check_mask(both, {}, {1, 1, 6, 6}, visible);
  constexpr auto &causal_too =
      masked<[](graph &) { return and_masks(causal(), global_and_window(2, 1, 0)); }>;
  check_mask(causal_too, {}, {1, 1, 6, 6},
             [=](int b, int h, int q, int k) { return k <= q && visible(b, h, q, k); });
}
