// Where things are on a page: nothing leaves it, nothing overlaps.
#include "support.hpp"

#include <catch2/catch.hpp>

using namespace heed::plot;

TEST_CASE("overlap tells turned rectangles apart") {
  label a;
  a.width = 100;
  a.height = 10;
  label b = a;
  b.origin = {0, 11};
  CHECK_FALSE(overlap(a.corners(), b.corners()));
  b.origin = {0, 9};
  CHECK(overlap(a.corners(), b.corners()));
  a.angle = b.angle = -45;
  a.origin = {0, 100};
  b.origin = {12, 100}; // 12 · sin 45° = 8.5 < 10
  CHECK(overlap(a.corners(), b.corners()));
  b.origin = {15, 100};
  CHECK_FALSE(overlap(a.corners(), b.corners()));
}

TEST_CASE("nothing on a heat map overlaps or is cut") {
  auto [rows, columns] = GENERATE(table<int, int>({{1, 1},
                                                   {2, 3},
                                                   {1, 40},
                                                   {40, 1},
                                                   {8, 10},
                                                   {30, 47},
                                                   {47, 30},
                                                   {64, 64},
                                                   {100, 5},
                                                   {5, 200},
                                                   {130, 130},
                                                   {512, 512}}));
  bool with_tokens = GENERATE(false, true);
  CAPTURE(rows, columns, with_tokens);
  heat_map_options options;
  if (with_tokens) {
    options.source = words(columns);
    options.target = words(rows);
  }
  page p = heat_map(sample(rows, columns), options);
  CHECK(misplaced(p) == "");
  REQUIRE(p.panels.size() == 1);
  CHECK(p.panels[0].cells.size() == static_cast<std::size_t>(rows) * columns);
  CHECK(p.bar);
  CHECK(texts_of(p, label_role::title) == std::vector<std::string>{"Cross-Attention Weights"});
  CHECK(texts_of(p, label_role::axis_name) == std::vector<std::string>{"Target Sequence", "Source Sequence"});
  CHECK(labels_of(p, label_role::tick).size() >= 2);
  CHECK(p.width <= 1400);
  CHECK(p.height <= 1400);
}

TEST_CASE("nothing on a grid overlaps or is cut") {
  int heads = GENERATE(2, 3, 5, 7, 12, 16, 33);
  auto [rows, columns] = GENERATE(table<int, int>({{1, 1}, {8, 10}, {31, 10}, {41, 41}, {128, 128}}));
  bool with_tokens = GENERATE(false, true);
  CAPTURE(heads, rows, columns, with_tokens);
  std::vector<titled_matrix> panels;
  for (int i = 0; i < heads; ++i)
    panels.push_back({"head " + std::to_string(i), sample(rows, columns)});
  heat_map_options options;
  if (with_tokens) {
    options.source = words(columns);
    options.target = words(rows);
  }
  page p = heat_map_grid(panels, options);
  CHECK(misplaced(p) == "");
  CHECK(p.panels.size() == static_cast<std::size_t>(heads));
  CHECK(labels_of(p, label_role::panel_title).size() == static_cast<std::size_t>(heads));
  CHECK(p.bar);
}

TEST_CASE("source tokens are turned by 45° and end below their columns, target tokens are upright beside "
          "their rows") {
  page p = heat_map(sample(3, 4), {.source = words(4), .target = words(3)});
  const panel &cells = p.panels[0];
  std::vector<label> sources = labels_of(p, label_role::source), targets = labels_of(p, label_role::target);
  REQUIRE(sources.size() == 4);
  REQUIRE(targets.size() == 3);
  for (int i = 0; i < 4; ++i) {
    CHECK(sources[i].angle == -45);
    corners at = sources[i].corners();
    double column = cells.area.x + (i + 0.5) * cells.area.width / 4;
    CHECK((at[1].x + at[2].x) / 2 == Approx(column));
    CHECK(at[1].y > cells.area.bottom());
    CHECK(at[1].y < cells.area.bottom() + 8);
  }
  for (int i = 0; i < 3; ++i) {
    CHECK(targets[i].angle == 0);
    corners at = targets[i].corners();
    CHECK((at[1].y + at[2].y) / 2 == Approx(cells.area.y + (i + 0.5) * cells.area.height / 3));
    CHECK(at[1].x < cells.area.x);
    CHECK(at[1].x > cells.area.x - 8);
  }
}

TEST_CASE("every label is there where there is room, and one in so many where there is not") {
  page p = heat_map(sample(30, 47), {.source = words(47, 1), .target = words(30, 1)});
  CHECK(labels_of(p, label_role::source).size() == 47);
  CHECK(labels_of(p, label_role::target).size() == 30);
  p = heat_map(sample(512, 512));
  std::vector<std::string> thinned = texts_of(p, label_role::source);
  REQUIRE(thinned.size() > 5);
  CHECK(thinned[0] == "0");
  int step = std::stoi(thinned[1]);
  CHECK((step == 10 || step == 20 || step == 50));
  for (std::size_t i = 0; i < thinned.size(); ++i)
    CHECK(thinned[i] == std::to_string(i * step));
}

TEST_CASE("square matrices have square cells, and no panel is shorter than its name") {
  for (int n : {1, 2, 8, 50, 300}) {
    page p = heat_map(sample(n, n));
    CHECK(p.panels[0].area.width == p.panels[0].area.height);
    CHECK(p.panels[0].area.height >= 96);
  }
}

TEST_CASE(
    "long tokens lose their middle, long titles are broken into lines, long names of axes are shortened") {
  std::string token = "first" + std::string(5000, 'x') + "last";
  page p = heat_map(sample(1, 2), {.source = {{token, "b"}},
                                   .target = {{"c"}},
                                   .title = std::string(300, 'w') + " tail",
                                   .source_name = std::string(300, 'n')});
  CHECK(misplaced(p) == "");
  label shortened = labels_of(p, label_role::source)[0];
  CHECK(shortened.shortened);
  CHECK(shortened.width <= 140);
  CHECK(shortened.text.starts_with("first"));
  CHECK(shortened.text.ends_with("last"));
  CHECK(shortened.text.find("x\u2026x") != std::string::npos);
  CHECK(labels_of(p, label_role::title)[0].height > 2 * 13);
  CHECK(p.width < 800);
}

TEST_CASE("shortening keeps letters whole") {
  std::string letter = "e\u0301"; // one letter of two characters
  std::string token;
  for (int i = 0; i < 300; ++i)
    token += letter;
  std::string text = labels_of(heat_map(sample(1, 1), {.source = {{token}}}), label_role::source)[0].text;
  std::size_t ellipsis = text.find("\u2026");
  REQUIRE(ellipsis != std::string::npos);
  CHECK(ellipsis % letter.size() == 0);
  CHECK(text.substr(ellipsis + 3).starts_with(letter));
}

TEST_CASE("values are written into cells that hold them, and can be read") {
  theme t = GENERATE(theme::light, theme::dark);
  page p = heat_map({2, 2, {0, 0.25, 1, NAN}}, {.theme = t, .values = true});
  CHECK(texts_of(p, label_role::value) == std::vector<std::string>{"0.00", "0.25", "1.00", "NaN"});
  CHECK(labels_of(heat_map(sample(2, 2)), label_role::value).empty());
  page large = heat_map(sample(64, 64), {.theme = t, .values = true});
  std::vector<label> values = labels_of(large, label_role::value);
  REQUIRE(values.size() == 64 * 64);
  const rectangle &area = large.panels[0].area;
  for (std::size_t i = 0; i < values.size(); ++i) {
    corners at = values[i].corners();
    double column = static_cast<double>(i % 64), row = static_cast<double>(i / 64);
    REQUIRE(at[0].x >= area.x + column * area.width / 64);
    REQUIRE(at[1].x <= area.x + (column + 1) * area.width / 64);
    REQUIRE(at[0].y >= area.y + row * area.height / 64);
    REQUIRE(at[2].y <= area.y + (row + 1) * area.height / 64);
    REQUIRE(contrast(values[i].color, large.panels[0].cells[i].color) >= 4.5);
  }
}
