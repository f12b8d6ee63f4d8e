// What heat maps show, and what they object to.
#include "support.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace heed::plot;
using Catch::Matchers::Contains;

TEST_CASE("cells have the colours of their values") {
  page p = heat_map({1, 3, {0, 0.5, 1}});
  CHECK(p.panels[0].cells == std::vector<cell_fill>{{heat_color(0)}, {heat_color(0.5)}, {heat_color(1)}});
  p = heat_map({1, 3, {0, 0.5, 1}}, {.scale = value_scale{0, 2}, .theme = theme::dark});
  CHECK(p.panels[0].cells[2].color == heat_color(0.5, theme::dark));
  CHECK(p.swatches.empty());
}

TEST_CASE("a grid has one scale for all") {
  page p = heat_map_grid({{"a", {1, 1, {1}}}, {"b", {1, 2 - 1, {3}}}});
  CHECK(p.panels[0].cells[0].color == heat_color(0));
  CHECK(p.panels[1].cells[0].color == heat_color(1));
  CHECK(texts_of(p, label_role::panel_title) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("tokens stand beside their rows and columns; without them indices") {
  page p = heat_map(sample(2, 3), {.source = {{"a", "b c", ""}}, .target = {{"\n", "\u05d0"}}});
  CHECK(texts_of(p, label_role::source) == std::vector<std::string>{"a", "b\u2423c", "(empty)"});
  CHECK(texts_of(p, label_role::target) == std::vector<std::string>{"\\n", "\u05d0"});
  p = heat_map(sample(2, 3));
  CHECK(texts_of(p, label_role::source) == std::vector<std::string>{"0", "1", "2"});
  CHECK(texts_of(p, label_role::target) == std::vector<std::string>{"0", "1"});
}

TEST_CASE("what has no colour is hatched, and the legend says how much of it there is") {
  double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  page p = heat_map({1, 6, {nan, nan, -infinity, 0, 1, 5}}, {.scale = value_scale{0.5, 2}});
  for (int i = 0; i < 6; ++i)
    CHECK(p.panels[0].cells[i].hatched == (i < 3));
  CHECK(texts_of(p, label_role::legend) ==
        std::vector<std::string>{"2 cells without a number (NaN)", "1 cell with an infinite number",
                                 "1 cell below the scale", "1 cell above the scale"});
  CHECK(misplaced(p) == "");
  p = heat_map({1, 1, {nan}});
  CHECK(p.bar);
  CHECK(misplaced(p) == "");
}

TEST_CASE("lists of tokens that don't fit are told with both numbers") {
  CHECK_THROWS_WITH(
      heat_map(sample(5, 7), {.source = words(6)}),
      "source: there are 6 tokens, the matrix has 7 columns, a token for each column is needed; leave "
      "the tokens out to number the columns");
  CHECK_THROWS_WITH(heat_map(sample(5, 7), {.target = {{"one"}}}),
                    Contains("target: there is 1 token, the matrix has 5 rows"));
  CHECK_THROWS_WITH(heat_map(sample(5, 7), {.source = std::vector<std::string>{}}),
                    Contains("source: there are 0 tokens"));
}

TEST_CASE("matrices that can't be drawn are told") {
  CHECK_THROWS_WITH(heat_map({0, 3, {}}), Contains("the matrix is 0 × 3, at least one row"));
  CHECK_THROWS_WITH(heat_map({2, 3, {1}}), Contains("there are 1 numbers, 2 × 3 are needed"));
  CHECK_THROWS_WITH(heat_map({1, 9000, std::vector<double>(9000)}),
                    Contains("at most 8192 × 8192 is needed"));
  CHECK_THROWS_WITH(heat_map(sample(65, 2), {.values = true}),
                    "values: the matrix is 65 × 2, at most 64 × 64 is needed; leave the values out");
  CHECK_THROWS_WITH(heat_map_grid({}), Contains("there are no matrices"));
  CHECK_THROWS_WITH(heat_map_grid({{"a", sample(2, 2)}, {"b", sample(2, 3)}}),
                    "weights: the matrix of 'b' is 2 × 3, the first one's 2 × 2 is needed for all of a grid");
  CHECK_THROWS_WITH(heat_map(sample(1, 1), {.scale = value_scale{1, 1}}), Contains("scale: it goes from 1"));
  CHECK_THROWS_AS(heat_map(sample(1, 1), {.scale = value_scale{0, std::nan("")}}), error);
}

TEST_CASE("heads are averaged") {
  std::vector<float> weights{0, 1, 2, 3, /* head 1 */ 4, 5, 6, 11};
  matrix mean = mean_over_heads(std::span<const float>(weights), 2, 2, 2);
  CHECK(mean.values == std::vector<double>{2, 3, 4, 7});
  CHECK(one_head(std::span<const float>(weights), 1, 2, 2).values == std::vector<double>{4, 5, 6, 11});
  CHECK_THROWS_WITH(mean_over_heads(std::span<const float>(weights), 3, 2, 2),
                    "weights: there are 8 numbers, heads × targets × sources = 3 × 2 × 2 are needed");
}

TEST_CASE("a tile map counts its tiles") {
  using enum tile;
  page p =
      tile_map({2, 3, 8, 64, {full, partial, skipped_statically, full, full, skipped_dynamically}}, "attend");
  CHECK(misplaced(p) == "");
  CHECK(texts_of(p, label_role::legend) ==
        std::vector<std::string>{"3 of 6 tiles computed without the mask",
                                 "1 of 6 tiles computed with the mask",
                                 "1 of 6 tiles skipped: found empty before scores are computed",
                                 "1 of 6 tiles skipped: outside the keys that the queries can see"});
  CHECK(texts_of(p, label_role::source) == std::vector<std::string>{"0", "64", "128"});
  CHECK(texts_of(p, label_role::target) == std::vector<std::string>{"0", "8"});
  CHECK(p.panels[0].cells[0] == p.swatches[0].fill);
  CHECK(p.panels[0].cells[1] == p.swatches[1].fill);
  CHECK_FALSE(p.bar);
  CHECK_THROWS_WITH(tile_map({1, 2, 8, 64, {full}}, ""), Contains("tiles: there are 1 for 1 × 2"));
}
