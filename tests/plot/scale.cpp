// Colours and the numbers beside them.
#include "support.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <set>

using namespace heed::plot;

TEST_CASE("the scale goes from yellow over green to blue, always darker") {
  for (int i = 2; i < 256; ++i) {
    CHECK(luminance(heat_color(i / 255.0)) <= luminance(heat_color((i - 1) / 255.0)));
    CHECK(luminance(heat_color(i / 255.0)) < luminance(heat_color((i - 2) / 255.0)));
  }
  rgb low = heat_color(0), middle = heat_color(0.35), high = heat_color(1);
  CHECK((low.red > 240 && low.green > 240 && low.blue < low.red));
  CHECK((middle.green > middle.red && middle.green > middle.blue));
  CHECK((high.blue > high.red && high.blue > high.green && high.blue < 128));
  CHECK(heat_color(-3) == low);
  CHECK(heat_color(7) == high);
}

TEST_CASE("steps of the scale look equally large") {
  // CIE lightness of a luminance.
  auto lightness = [](rgb color) { return 116 * std::cbrt(luminance(color)) - 16; };
  for (int i = 0; i < 8; ++i) {
    double step = lightness(heat_color(i / 8.0)) - lightness(heat_color((i + 1) / 8.0));
    CHECK(step > 7);
    CHECK(step < 14);
  }
}

TEST_CASE("small values are near the background in both themes, texts are readable") {
  for (theme t : {theme::light, theme::dark}) {
    theme_colors colors = colors_of(t);
    CHECK(contrast(heat_color(0, t), colors.background) < 2);
    CHECK(contrast(heat_color(1, t), colors.background) > 10);
    CHECK(contrast(colors.text, colors.background) > 7);
    CHECK(contrast(colors.missing, heat_color(0.5, t)) > 1.3);
  }
  CHECK(contrast({0, 0, 0}, {255, 255, 255}) == Approx(21));
  for (int i = 0; i < 256; ++i)
    CHECK(contrast(heat_color(i / 255.0), readable_on(heat_color(i / 255.0))) >= 4.5);
}

TEST_CASE("the scale spans what is finite") {
  double infinity = std::numeric_limits<double>::infinity();
  auto of = [](std::vector<double> values) {
    matrix m{1, static_cast<std::int64_t>(values.size()), values};
    value_scale scale = scale_of(std::span(&m, 1));
    return std::pair(scale.low, scale.high);
  };
  CHECK(of({3, -1, NAN, infinity}) == std::pair(-1.0, 3.0));
  CHECK(of({0.25, 0.25}) == std::pair(0.0, 0.25));
  CHECK(of({-2}) == std::pair(-2.0, 0.0));
  CHECK(of({0}) == std::pair(0.0, 1.0));
  CHECK(of({NAN}) == std::pair(0.0, 1.0));
  CHECK(of({1, 1 + 1e-15}).first == 0);
}

TEST_CASE("ticks are round, inside and different") {
  double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::denorm_min();
  for (value_scale scale : {value_scale{0, 1},
                            {1.5e-19, 0.99999},
                            {-0.3, 0.7},
                            {0.0116, 0.5916},
                            {1e6, 1e6 + 3},
                            {-largest, largest},
                            {0, 1e-12},
                            {-5e8, 1e3},
                            {0.1, 0.1000001},
                            {0, smallest * 8},
                            {0, 0.127},
                            {-1e5, 1e5}}) {
    std::vector<scale_tick> ticks = ticks_of(scale);
    CAPTURE(scale.low, scale.high);
    CHECK(ticks.size() >= 2);
    CHECK(ticks.size() <= 8);
    std::set<std::string> texts;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      CHECK(ticks[i].part >= 0);
      CHECK(ticks[i].part <= 1);
      CHECK((i == 0 || ticks[i].part > ticks[i - 1].part));
      texts.insert(ticks[i].text);
      CHECK(ticks[i].text.size() < 16);
    }
    CHECK(texts.size() == ticks.size());
  }
  auto texts = [](value_scale scale) {
    std::string all;
    for (const scale_tick &tick : ticks_of(scale))
      all += tick.text + " ";
    return all;
  };
  CHECK(texts({0, 1}) == "0.0 0.2 0.4 0.6 0.8 1.0 ");
  CHECK(texts({1.5e-19, 0.99999}) == "0.0 0.2 0.4 0.6 0.8 ");
  CHECK(texts({-1, 1}) == "\u22121.0 \u22120.5 0.0 0.5 1.0 ");
  CHECK(texts({0, 700}) == "0 100 200 300 400 500 600 700 ");
}

TEST_CASE("values have the digits that count") {
  CHECK(value_text(0.123456, {0, 1}) == "0.12");
  CHECK(value_text(0.123456, {0, 0.93}) == "0.12");
  CHECK(value_text(-0.001, {0, 1}) == "\u22120.00");
  CHECK(value_text(12.34, {0, 50}) == "12");
  CHECK(value_text(0.00123, {0, 0.005}) == "0.0012");
  CHECK(value_text(NAN, {0, 1}) == "NaN");
  CHECK(value_text(-std::numeric_limits<double>::infinity(), {0, 1}) == "\u2212\u221e");
  CHECK(value_scale{-1e308, 1e308}.part(0) == 0.5);
}
