#include "Tune/Evidence.h"

#include <catch2/catch.hpp>

using namespace heed::tune;

TEST_CASE("quantiles lie between values") {
  CHECK(quantile({}, 0.5) == 0);
  CHECK(quantile({3}, 0.25) == 3);
  CHECK(quantile({4, 1, 2, 3}, 0.5) == 2.5);
  CHECK(quantile({5, 1, 2, 3, 4}, 0.25) == 2);
  CHECK(quantile({5, 1, 2, 3, 4}, 1) == 5);
}

TEST_CASE("a gain is one when three pairs in four show it") {
  CHECK(isFaster({1.05, 1.04, 1.06, 1.05}));
  CHECK(isFaster({1.05, 1.04, 0.2, 1.06, 1.05, 1.07, 1.04, 1.05}));
  CHECK_FALSE(isFaster({1.05, 0.99, 1.06, 0.98}));
  CHECK_FALSE(isFaster({1.001, 1.002, 1.001, 1.002}));
  CHECK_FALSE(isFaster({9, 0.97, 0.98, 0.99, 0.96}));
  CHECK_FALSE(isFaster({}));
}

TEST_CASE("losses end a trial") {
  CHECK(isHopeless({0.9, 0.95, 0.92}));
  CHECK_FALSE(isHopeless({0.9, 0.95}));
  CHECK_FALSE(isHopeless({0.9, 1.01, 0.92}));
  CHECK(isHopeless({0.9, 1.01, 0.92, 0.95, 0.94, 0.93}));
  CHECK_FALSE(isHopeless({0.9, 1.01, 0.92, 1.02, 1.03, 0.93}));
  CHECK_FALSE(isHopeless({0.999, 0.998, 0.997}));
}
