/// Colours of themes and of the scale from yellow over green to blue.
#ifndef HEED_PLOT_COLOR_HPP
#define HEED_PLOT_COLOR_HPP

#include <compare>
#include <cstdint>

namespace heed::plot {

/// sRGB.
struct rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
  auto operator<=>(const rgb &) const = default;
};

constexpr rgb hex(unsigned value) {
  return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
          static_cast<std::uint8_t>(value)};
}

enum class theme { light, dark };

struct theme_colors {
  rgb background, text, outline, missing, hatch;
};

theme_colors colors_of(theme t);

/// One of 256 colours between yellow (`part` = 0) and dark blue (1), of evenly falling lightness; in the dark
/// theme from dark blue to yellow, so that small values are near the background in both.
rgb heat_color(double part, theme t = theme::light);

/// Relative luminance (WCAG 2), 0 to 1.
double luminance(rgb color);

/// (L + 0.05) / (l + 0.05) of the lighter and the darker luminance (WCAG 2), 1 to 21.
double contrast(rgb a, rgb b);

/// Black or white, whichever has more contrast.
rgb readable_on(rgb background);

} // namespace heed::plot

#endif
