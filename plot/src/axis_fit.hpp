/// How large cells are, and which of them have labels.
#ifndef HEED_PLOT_AXIS_FIT_HPP
#define HEED_PLOT_AXIS_FIT_HPP

#include "chart.hpp"

namespace heed::plot {

struct axis_fit {
  double cell = 1;        ///< width of a column, height of a row
  std::int64_t every = 1; ///< each how many-th cell has a label
};

struct panel_fit {
  axis_fit x, y;
  double font = 11; ///< of the labels
};

panel_fit fit_panel(const chart &c, double shortest_side);

} // namespace heed::plot

#endif
