/// What heat maps and tile maps have in common: panels of cells with labels, a colour bar and a legend.
#ifndef HEED_PLOT_CHART_HPP
#define HEED_PLOT_CHART_HPP

#include "heed/plot/page.hpp"
#include "heed/plot/scale.hpp"

namespace heed::plot {

struct chart_axis {
  std::string name;
  std::vector<std::string> labels; ///< one for each row or column, as they are written
  bool numbers = false;            ///< labels count: upright along x
};

struct chart_panel {
  std::string title;
  std::vector<cell_fill> cells;
  std::vector<std::string> values; ///< of the cells, if they are written into them
};

struct legend_entry {
  cell_fill fill;
  std::string text;
};

/// All panels have source.labels.size() columns and target.labels.size() rows.
struct chart {
  std::string title;
  chart_axis source, target; ///< x, y
  std::vector<chart_panel> panels{};
  std::vector<rgb> bar_colors{}; ///< from low to high; none: no colour bar
  std::vector<scale_tick> bar_ticks{};
  std::vector<legend_entry> legend{};
  plot::theme theme = plot::theme::light;
};

/// Places everything so that nothing overlaps and nothing leaves the page.
page lay_out(const chart &c);

} // namespace heed::plot

#endif
