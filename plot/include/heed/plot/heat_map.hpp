/// Attention weights as a heat map: source tokens along x, turned by 45°, target tokens along y.
///
///   heed::plot::matrix mean = heed::plot::mean_over_heads(std::span<const float>(weights), heads, targets,
///   sources); heed::plot::write(heed::plot::heat_map(mean, {.source = words, .target = translated}),
///   "alignment.svg");
#ifndef HEED_PLOT_HEAT_MAP_HPP
#define HEED_PLOT_HEAT_MAP_HPP

#include "heed/plot/page.hpp"
#include "heed/plot/scale.hpp"

namespace heed::plot {

struct heat_map_options {
  std::optional<std::vector<std::string>> source{}, target{}; ///< tokens; indices without them
  std::string title = "Cross-Attention Weights";
  std::string source_name = "Source Sequence", target_name = "Target Sequence";
  std::optional<value_scale> scale{}; ///< without it from the smallest to the largest value
  plot::theme theme = plot::theme::light;
  bool values = false; ///< write each cell's value into it
};

struct titled_matrix {
  std::string title;
  plot::matrix matrix;
};

/// Throws error: no cells, lists of tokens of another length than the matrix, an empty scale, more cells than
/// values can be written into.
page heat_map(const matrix &weights, const heat_map_options &options = {});

/// Several matrices of one shape, such as heads, with one colour bar.
page heat_map_grid(const std::vector<titled_matrix> &panels, const heat_map_options &options = {});

} // namespace heed::plot

#endif
