#include "Plot/MatrixPicture.h"

#include "Support/ToolError.h"

#include <algorithm>
#include <array>
#include <cairo-svg.h>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>

namespace heed::tools {

namespace {

struct Color {
  double red, green, blue;
  auto operator<=>(const Color &) const = default;
};

constexpr Color hex(unsigned value) {
  return {(value >> 16) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0};
}

constexpr Color hidden = hex(0xeef1f4), visible = hex(0x1f6f8b), missing = hex(0xd0d0d0),
                border = hex(0xffffff);
/// Nine steps of a yellow-green-blue scale.
constexpr std::array heat = {hex(0xffffd9), hex(0xedf8b1), hex(0xc7e9b4), hex(0x7fcdbb), hex(0x41b6c4),
                             hex(0x1d91c0), hex(0x225ea8), hex(0x253494), hex(0x081d58)};

Color colorOf(double value, Palette palette) {
  if (std::isnan(value))
    return missing;
  if (palette == Palette::Mask)
    return value != 0 ? visible : hidden;
  double at = std::clamp(value, 0.0, 1.0) * (heat.size() - 1);
  auto step = std::min<std::size_t>(static_cast<std::size_t>(at), heat.size() - 2);
  double part = at - static_cast<double>(step);
  auto mixed = [&](double Color::*channel) {
    return heat[step].*channel * (1 - part) + heat[step + 1].*channel * part;
  };
  return {mixed(&Color::red), mixed(&Color::green), mixed(&Color::blue)};
}

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

bool endsWith(const std::string &text, const char *suffix) {
  std::string_view view = text;
  return view.ends_with(suffix);
}

Surface makeSurface(const std::string &file, double width, double height) {
  cairo_surface_t *surface =
      endsWith(file, ".svg")
          ? cairo_svg_surface_create(file.c_str(), width, height)
          : cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height));
  return {surface, cairo_surface_destroy};
}

void finish(cairo_surface_t *surface, const std::string &file) {
  cairo_status_t status = endsWith(file, ".png")
                              ? cairo_surface_write_to_png(surface, file.c_str())
                              : (cairo_surface_finish(surface), cairo_surface_status(surface));
  if (status != CAIRO_STATUS_SUCCESS)
    throw ToolError(fmt::format("{}: can't be written: {}", file, cairo_status_to_string(status)));
}

struct Run {
  std::int64_t row, first, end;
};

/// Runs of equal cells in a row, by their colour: a path per colour keeps files small.
std::map<Color, std::vector<Run>> runsOf(const Matrix &matrix, Palette palette) {
  std::map<Color, std::vector<Run>> runs;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const double *values = &matrix.values[row * matrix.columns];
    std::int64_t first = 0;
    for (std::int64_t column = 1; column <= matrix.columns; ++column) {
      Color color = colorOf(values[first], palette);
      if (column < matrix.columns && colorOf(values[column], palette) == color)
        continue;
      runs[color].push_back({row, first, column});
      first = column;
    }
  }
  return runs;
}

void drawCells(cairo_t *context, const Matrix &matrix, Palette palette, double cell) {
  for (const auto &[color, runs] : runsOf(matrix, palette)) {
    cairo_set_source_rgb(context, color.red, color.green, color.blue);
    for (const Run &run : runs)
      cairo_rectangle(context, run.first * cell, run.row * cell, (run.end - run.first) * cell, cell);
    cairo_fill(context);
  }
}

void drawBorders(cairo_t *context, const Matrix &matrix, double cell) {
  cairo_set_source_rgb(context, border.red, border.green, border.blue);
  cairo_set_line_width(context, cell / 12);
  for (std::int64_t row = 1; row < matrix.rows; ++row) {
    cairo_move_to(context, 0, row * cell);
    cairo_line_to(context, matrix.columns * cell, row * cell);
  }
  for (std::int64_t column = 1; column < matrix.columns; ++column) {
    cairo_move_to(context, column * cell, 0);
    cairo_line_to(context, column * cell, matrix.rows * cell);
  }
  cairo_stroke(context);
}

} // namespace

void drawMatrix(const Matrix &matrix, Palette palette, const std::string &file, double side) {
  constexpr double smallestBordered = 6;
  if (!endsWith(file, ".svg") && !endsWith(file, ".png"))
    throw ToolError(fmt::format("{}: a name that ends with .svg or .png is needed", file));
  if (matrix.rows == 0 || matrix.columns == 0)
    throw ToolError(
        fmt::format("{}: the matrix is {} × {}, a cell is needed", file, matrix.rows, matrix.columns));
  double cell = std::max(1.0, std::round(side / static_cast<double>(std::max(matrix.rows, matrix.columns))));
  Surface surface = makeSurface(file, matrix.columns * cell, matrix.rows * cell);
  Context context(cairo_create(surface.get()), cairo_destroy);
  cairo_set_antialias(context.get(), CAIRO_ANTIALIAS_NONE);
  drawCells(context.get(), matrix, palette, cell);
  if (cell >= smallestBordered)
    drawBorders(context.get(), matrix, cell);
  finish(surface.get(), file);
}

Matrix normalized(Matrix matrix) {
  double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
  for (double value : matrix.values)
    if (std::isfinite(value)) {
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  for (double &value : matrix.values)
    value = !std::isfinite(value) ? std::nan("")
            : largest > smallest  ? (value - smallest) / (largest - smallest)
                                  : 0;
  return matrix;
}

} // namespace heed::tools
