#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

namespace {
constexpr auto first = [](index b, index, index, index) { return b == 0; };
constexpr auto second = [](index, index h, index, index) { return h == 0; };
constexpr auto all = [](index, index, index, index) { return true; };
constexpr auto everything = sliding_window(-1, -1);
} // namespace

TEST_CASE("and_masks and or_masks join masks") {
  constexpr auto &both = masked<[](graph &) { return and_masks(causal(), first, second); }>;
  constexpr auto &either = masked<[](graph &) { return or_masks(causal(), first, second); }>;
  constexpr auto &hidden = masked<[](graph &) { return not_mask(or_masks(causal(), first)); }>;
  const position_4 shape = {2, 2, 2, 3};
  check_mask(both, {}, shape, [](int b, int h, int q, int k) { return k <= q && b == 0 && h == 0; });
  check_mask(either, {}, shape, [](int b, int h, int q, int k) { return k <= q || b == 0 || h == 0; });
  check_mask(hidden, {}, shape, [](int b, int, int q, int k) { return k > q && b != 0; });
  CHECK(program_of(masked<[](graph &) { return and_masks(causal()); }>) == "@4 = less_equal(@3, @2) truth\n");
}

TEST_CASE("masks that show everything or nothing can be joined") {
  const char *const only_causal = "@4 = less_equal(@3, @2) truth\n";
  CHECK(program_of(masked<[](graph &) { return and_masks(all, causal(), everything); }>) == only_causal);
  CHECK(program_of(masked<[](graph &) { return or_masks(not_mask(all), causal()); }>) == only_causal);
  CHECK(program_of(masked<[](graph &) { return or_masks(all, causal()); }>).find("number 1 truth") !=
        std::string::npos);
  CHECK(program_of(masked<[](graph &) { return not_mask(and_masks(all, all)); }>) == "@4 = number 0 truth\n");
}
