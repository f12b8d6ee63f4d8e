/// Cells as cairo paths.
#ifndef HEED_PLOT_FILLS_HPP
#define HEED_PLOT_FILLS_HPP

#include "heed/plot/page.hpp"

#include <cairo.h>

namespace heed::plot {

void set_color(cairo_t *context, rgb color);

/// Fills rows × columns of cells with their colours, the first cell's corner at `corner`. A path per colour,
/// of runs of equal cells within a row, keeps files small.
void fill_cells(cairo_t *context, const panel &p, const std::vector<rgb> &colors);

/// The lines between cells.
void draw_borders(cairo_t *context, const panel &p, rgb color, double line_width);

} // namespace heed::plot

#endif
