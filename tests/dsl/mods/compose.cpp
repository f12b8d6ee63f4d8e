#include "../library.hpp"

using namespace heed;
using namespace heed::testing;

namespace {
constexpr auto twice = [](value s, index, index, index, index) { return s * 2; };
constexpr auto add_key = [](value s, index, index, index, index k) { return s + k; };
} // namespace

TEST_CASE("compose applies from left to right") {
  constexpr auto &one = changed<1, [](graph &) { return compose(twice); }>;
  constexpr auto &three = changed<1, [](graph &) { return compose(twice, add_key, twice); }>;
  check_score_mod(one, {}, {1, 1, 2, 3}, [](double s, int, int, int, int) { return 2 * s; });
  check_score_mod(three, {}, {1, 1, 2, 3}, [](double s, int, int, int, int k) { return 2 * (2 * s + k); });
}
