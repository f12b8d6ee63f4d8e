#include "heed/plot/color.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace heed::plot {

namespace {

struct linear_rgb {
  double red, green, blue;
  bool in_gamut() const {
    auto inside = [](double channel) { return channel >= 0 && channel <= 1; };
    return inside(red) && inside(green) && inside(blue);
  }
};

/// Oklab (Ottosson 2020) in polar form to linear sRGB; hue in degrees.
linear_rgb from_oklch(double lightness, double chroma, double hue) {
  double radians = hue * 3.14159265358979323846 / 180, a = chroma * std::cos(radians),
         b = chroma * std::sin(radians);
  auto cubed = [](double x) { return x * x * x; };
  double l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b),
         m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b),
         s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

std::uint8_t encoded(double linear) {
  double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

/// The colour with the wanted lightness and hue, and as much of the chroma as the screen has.
rgb displayed(double lightness, double chroma, double hue) {
  double least = 0, most = chroma;
  if (!from_oklch(lightness, most, hue).in_gamut())
    for (int i = 0; i < 30; ++i) {
      double middle = (least + most) / 2;
      (from_oklch(lightness, middle, hue).in_gamut() ? least : most) = middle;
    }
  else
    least = most;
  linear_rgb color = from_oklch(lightness, least, hue);
  return {encoded(color.red), encoded(color.green), encoded(color.blue)};
}

constexpr int steps = 256;

std::array<rgb, steps> make_scale() {
  constexpr double lightest = 0.985, darkest = 0.275, yellow = 108, blue = 268;
  std::array<rgb, steps> scale;
  for (int i = 0; i < steps; ++i) {
    double part = i / (steps - 1.0), hue = yellow + (blue - yellow) * (1 - std::pow(1 - part, 1.35)),
           chroma = 0.055 + 0.14 * part * (1 - part) + 0.03 * part * part * part;
    scale[i] = displayed(lightest + (darkest - lightest) * part, chroma, hue);
  }
  return scale;
}

} // namespace

theme_colors colors_of(theme t) {
  if (t == theme::dark)
    return {hex(0x16191d), hex(0xe3e7eb), hex(0x6b747d), hex(0x3a4047), hex(0x7d868f)};
  return {hex(0xffffff), hex(0x20262c), hex(0x8b949e), hex(0xd3d7dc), hex(0x8b949e)};
}

rgb heat_color(double part, theme t) {
  static const std::array<rgb, steps> scale = make_scale();
  int step = static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (steps - 1)));
  return scale[t == theme::dark ? steps - 1 - step : step];
}

double luminance(rgb color) {
  auto linear = [](std::uint8_t channel) {
    double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

double contrast(rgb a, rgb b) {
  auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

rgb readable_on(rgb background) {
  constexpr rgb black{}, white{255, 255, 255};
  return contrast(background, black) >= contrast(background, white) ? black : white;
}

} // namespace heed::plot
