#include <heed/dsl/number.hpp>

#include <catch2/catch.hpp>

#include <cmath>

static_assert(heed::sqrt(64) == 8);
static_assert(heed::sqrt(0.25) == 0.5);
static_assert(heed::sqrt(heed::extent(16)) == 4);
static_assert(heed::sqrt(0) == 0);
static_assert(heed::sqrt(heed::infinity) == heed::infinity);
static_assert(heed::sqrt(-1) != heed::sqrt(-1));
static_assert(-heed::infinity < -1e308);

TEST_CASE("the constant square root is the rounded one") {
  double x = 1e-300;
  for (int i = 0; i < 20000; ++i, x *= 1.07) {
    if (x > 1e300)
      x = 1e-300;
    REQUIRE(heed::sqrt(x) == std::sqrt(x));
  }
  for (int i = 1; i <= 4096; ++i)
    REQUIRE(heed::sqrt(i) == std::sqrt(static_cast<double>(i)));
}
