/// A picture as plain data: everything on it with its place, before it is drawn. Lengths are in points, y
/// grows downwards.
#ifndef HEED_PLOT_PAGE_HPP
#define HEED_PLOT_PAGE_HPP

#include "heed/plot/color.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace heed::plot {

struct point {
  double x = 0, y = 0;
};

struct rectangle {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class label_role { title, panel_title, axis_name, source, target, tick, value, legend };

struct label {
  label_role role = label_role::legend;
  std::string text;             ///< as it is written
  double size = 11;             ///< of the font
  double limit = 0;             ///< a longer title is broken into lines; 0: none
  double angle = 0;             ///< in degrees, clockwise, about `origin`
  point origin{};               ///< the text's upper left corner
  double width = 0, height = 0; ///< as measured
  bool shortened = false;       ///< … stands for the middle of the text
  rgb color{};

  /// Upper left, upper right, lower right and lower left of the turned text.
  std::array<point, 4> corners() const;
};

struct cell_fill {
  rgb color{};
  bool hatched = false;
  bool operator==(const cell_fill &) const = default;
};

/// A matrix of cells.
struct panel {
  std::int64_t rows = 0, columns = 0;
  rectangle area;
  std::vector<cell_fill> cells; ///< row-major
};

struct color_bar {
  rectangle area;
  std::vector<rgb> colors; ///< from bottom to top
};

/// A sample of a fill beside its meaning.
struct swatch {
  rectangle area;
  cell_fill fill;
};

struct segment {
  point from, to;
};

struct page {
  double width = 0, height = 0;
  theme_colors colors;
  std::string title, description; ///< for readers who can't see the picture
  std::vector<panel> panels;
  std::optional<color_bar> bar;
  std::vector<swatch> swatches;
  std::vector<segment> marks; ///< between labels and what they name
  std::vector<label> labels;
};

} // namespace heed::plot

#endif
