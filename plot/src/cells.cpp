#include "heed/plot/cells.hpp"

#include "fills.hpp"
#include "output.hpp"

#include <algorithm>
#include <cmath>

namespace heed::plot {

namespace {

constexpr rgb hidden = hex(0xeef1f4), visible = hex(0x1f6f8b), missing = hex(0xd0d0d0),
              border = hex(0xffffff);

rgb color_of(double value, cell_palette palette) {
  if (std::isnan(value))
    return missing;
  if (palette == cell_palette::mask)
    return value != 0 ? visible : hidden;
  return heat_color(value);
}

} // namespace

void draw_cells(const matrix &m, cell_palette palette, const std::string &file, double side) {
  constexpr double smallest_bordered = 6;
  format f = format_of(file);
  if (m.rows <= 0 || m.columns <= 0)
    throw error(file + ": the matrix is " + std::to_string(m.rows) + " × " + std::to_string(m.columns) +
                ", a cell is needed");
  double cell = std::max(1.0, std::round(side / static_cast<double>(std::max(m.rows, m.columns))));
  panel p{m.rows,
          m.columns,
          {0, 0, static_cast<double>(m.columns) * cell, static_cast<double>(m.rows) * cell},
          {}};
  std::vector<rgb> colors;
  colors.reserve(m.values.size());
  for (double value : m.values)
    colors.push_back(color_of(value, palette));
  write_file(file, drawn(f, {p.area.width, p.area.height}, file, [&](cairo_t *context) {
               cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
               fill_cells(context, p, colors);
               if (cell >= smallest_bordered)
                 draw_borders(context, p, border, cell / 12);
             }));
}

} // namespace heed::plot
