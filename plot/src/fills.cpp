#include "fills.hpp"

#include <map>

namespace heed::plot {

namespace {

struct run {
  std::int64_t row, first, end;
};

std::map<rgb, std::vector<run>> runs_of(const panel &p, const std::vector<rgb> &colors) {
  std::map<rgb, std::vector<run>> runs;
  for (std::int64_t row = 0; row < p.rows; ++row) {
    const rgb *color = &colors[row * p.columns];
    std::int64_t first = 0;
    for (std::int64_t column = 1; column <= p.columns; ++column) {
      if (column < p.columns && color[column] == color[first])
        continue;
      runs[color[first]].push_back({row, first, column});
      first = column;
    }
  }
  return runs;
}

} // namespace

void set_color(cairo_t *context, rgb color) {
  cairo_set_source_rgb(context, color.red / 255.0, color.green / 255.0, color.blue / 255.0);
}

void fill_cells(cairo_t *context, const panel &p, const std::vector<rgb> &colors) {
  double width = p.area.width / static_cast<double>(p.columns),
         height = p.area.height / static_cast<double>(p.rows);
  for (const auto &[color, runs] : runs_of(p, colors)) {
    set_color(context, color);
    for (const run &r : runs)
      cairo_rectangle(context, p.area.x + static_cast<double>(r.first) * width,
                      p.area.y + static_cast<double>(r.row) * height,
                      static_cast<double>(r.end - r.first) * width, height);
    cairo_fill(context);
  }
}

void draw_borders(cairo_t *context, const panel &p, rgb color, double line_width) {
  set_color(context, color);
  cairo_set_line_width(context, line_width);
  for (std::int64_t row = 1; row < p.rows; ++row) {
    double y = p.area.y + static_cast<double>(row) * p.area.height / static_cast<double>(p.rows);
    cairo_move_to(context, p.area.x, y);
    cairo_line_to(context, p.area.right(), y);
  }
  for (std::int64_t column = 1; column < p.columns; ++column) {
    double x = p.area.x + static_cast<double>(column) * p.area.width / static_cast<double>(p.columns);
    cairo_move_to(context, x, p.area.y);
    cairo_line_to(context, x, p.area.bottom());
  }
  cairo_stroke(context);
}

} // namespace heed::plot
