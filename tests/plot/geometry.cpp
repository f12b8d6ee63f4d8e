// Where things are on a page: nothing leaves it, nothing overlaps.
#include "heed/plot.hpp"

#include <catch2/catch.hpp>

TEST_CASE("a heat map has a colour bar") {
  CHECK(heed::plot::heat_map({1, 1, {0.5}}).bar);
}
