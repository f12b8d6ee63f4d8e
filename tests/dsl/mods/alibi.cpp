#include "../library.hpp"

#include <cmath>

using namespace heed;
using namespace heed::testing;

namespace {
template <int heads> void check_slopes(const std::vector<double> &slopes) {
  constexpr auto &kernel = changed<heads, [](graph &) { return alibi(); }>;
  check_score_mod(kernel, {}, {1, heads, 3, 5},
                  [&](double s, int, int h, int q, int k) { return s - slopes[h] * std::abs(q - k); });
}
} // namespace

TEST_CASE("slopes of alibi for any number of heads") {
  check_slopes<1>({1. / 256});
  check_slopes<3>({1. / 16, 1. / 256, 1. / 4});
  check_slopes<8>({.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625});
  const double root = std::sqrt(.5);
  check_slopes<12>(
      {.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625, root, root / 2, root / 4, root / 8});
}

TEST_CASE("alibi takes slopes from a tensor and an offset") {
  constexpr auto &given = changed<2, [](graph &g) { return alibi(g.weight("slopes", f32, {2})); }>;
  check_score_mod(
      given, {{"slopes", numbers({3, 0.25})}}, {1, 2, 3, 4},
      [](double s, int, int h, int q, int k) { return s - (h == 0 ? 3 : 0.25) * std::abs(q - k); });
  constexpr auto &cached = changed<1, [](graph &g) { return shifted(alibi(), g.scalar("past", i64)); }>;
  check_score_mod(cached, {{"past", number(4)}}, {1, 1, 2, 6},
                  [](double s, int, int, int q, int k) { return s - std::abs(q + 4 - k) / 256.0; });
}

TEST_CASE("alibi says what does not fit") {
  CHECK(fault([](graph &g) { score_mod(g.input("s", f32, {1, heads, 2, 2}), alibi()); }) ==
        "alibi: the scores have heads heads, a number is needed for the slopes; pass them as a tensor, "
        "alibi(slopes)");
  CHECK(fault([](graph &g) { alibi(g.input("slopes", i32, {2})); }) ==
        "alibi: slopes are a tensor (2) of i32, floats of shape (heads) are needed");
}
