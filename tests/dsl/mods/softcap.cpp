#include "../library.hpp"

#include <cmath>

using namespace heed;
using namespace heed::testing;

TEST_CASE("softcap bounds scores") {
  constexpr auto &capped = changed<1, [](graph &) { return softcap(0.5); }>;
  check_score_mod(capped, {}, {1, 1, 3, 4},
                  [](double s, int, int, int, int) { return std::tanh(2 * s) / 2; });
}
