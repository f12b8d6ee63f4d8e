#include "heed/plot/heat_map.hpp"

#include "chart.hpp"
#include "heed/plot/text.hpp"

#include <cmath>

namespace heed::plot {

namespace {

constexpr std::int64_t most_cells_along = 8192, most_values_along = 64;

std::string shape_text(const matrix &m) { return std::to_string(m.rows) + " × " + std::to_string(m.columns); }

void check_matrix(const titled_matrix &panel, const matrix &first, const heat_map_options &options) {
  const matrix &m = panel.matrix;
  if (m.rows <= 0 || m.columns <= 0)
    throw error("weights: the matrix is " + shape_text(m) + ", at least one row and one column are needed");
  if (static_cast<std::int64_t>(m.values.size()) != m.rows * m.columns)
    throw error("weights: there are " + std::to_string(m.values.size()) + " numbers, " + shape_text(m) +
                " are needed");
  if (m.rows != first.rows || m.columns != first.columns)
    throw error("weights: the matrix of '" + panel.title + "' is " + shape_text(m) + ", the first one's " +
                shape_text(first) + " is needed for all of a grid");
  std::int64_t most = options.values ? most_values_along : most_cells_along;
  if (m.rows > most || m.columns > most)
    throw error(std::string(options.values ? "values" : "weights") + ": the matrix is " + shape_text(m) +
                ", at most " + std::to_string(most) + " × " + std::to_string(most) + " is needed; " +
                (options.values ? "leave the values out" : "draw a part of it"));
}

chart_axis axis_of(const char *argument, const std::string &name,
                   const std::optional<std::vector<std::string>> &tokens, std::int64_t count,
                   const char *lines) {
  chart_axis axis{visible_text(name), {}, !tokens};
  if (tokens && static_cast<std::int64_t>(tokens->size()) != count)
    throw error(std::string(argument) + ": there " + (tokens->size() == 1 ? "is " : "are ") +
                std::to_string(tokens->size()) + (tokens->size() == 1 ? " token" : " tokens") +
                ", the matrix has " + std::to_string(count) + " " + lines + (count == 1 ? "" : "s") +
                ", a token for each " + lines + " is needed; leave the tokens out to number the " + lines +
                "s");
  for (std::int64_t i = 0; i < count; ++i)
    axis.labels.push_back(tokens ? visible_token((*tokens)[i]) : std::to_string(i));
  return axis;
}

/// Cells that the scale has no colour for, or the colour of its end.
struct exceptions {
  std::int64_t nan = 0, infinite = 0, below = 0, above = 0;

  void count(double value, const value_scale &scale) {
    nan += std::isnan(value);
    infinite += std::isinf(value);
    below += std::isfinite(value) && value < scale.low;
    above += std::isfinite(value) && value > scale.high;
  }
};

std::string cells_text(std::int64_t count, const char *what) {
  return std::to_string(count) + (count == 1 ? " cell " : " cells ") + what;
}

std::vector<legend_entry> legend_of(const exceptions &e, const cell_fill &missing, theme t) {
  std::vector<legend_entry> legend;
  if (e.nan)
    legend.push_back({missing, cells_text(e.nan, "without a number (NaN)")});
  if (e.infinite)
    legend.push_back({missing, cells_text(e.infinite, "with an infinite number")});
  if (e.below)
    legend.push_back({{heat_color(0, t)}, cells_text(e.below, "below the scale")});
  if (e.above)
    legend.push_back({{heat_color(1, t)}, cells_text(e.above, "above the scale")});
  return legend;
}

void check_scale(const value_scale &scale) {
  if (!(std::isfinite(scale.low) && std::isfinite(scale.high) && scale.low < scale.high))
    throw error("scale: it goes from " + std::to_string(scale.low) + " to " + std::to_string(scale.high) +
                ", a finite low end below a finite high end is needed");
}

value_scale chosen_scale(const std::vector<titled_matrix> &panels, const heat_map_options &options) {
  if (options.scale) {
    check_scale(*options.scale);
    return *options.scale;
  }
  std::vector<matrix> matrices;
  matrices.reserve(panels.size());
  for (const titled_matrix &panel : panels)
    matrices.push_back(panel.matrix);
  return scale_of(matrices);
}

std::string description_of(const chart &c, const value_scale &scale) {
  auto list = [](const chart_axis &axis) {
    std::string text = axis.name + " (" + std::to_string(axis.labels.size()) + ")";
    if (!axis.numbers)
      for (const std::string &label : axis.labels)
        text += (&label == axis.labels.data() ? ": " : " ") + label;
    return text;
  };
  return "Heat map. Along x " + list(c.source) + ". Along y " + list(c.target) + ". Values from " +
         value_text(scale.low, scale) + " to " + value_text(scale.high, scale) + ".";
}

} // namespace

page heat_map_grid(const std::vector<titled_matrix> &panels, const heat_map_options &options) {
  if (panels.empty())
    throw error("weights: there are no matrices, at least one is needed");
  const matrix &first = panels.front().matrix;
  for (const titled_matrix &panel : panels)
    check_matrix(panel, first, options);
  theme_colors colors = colors_of(options.theme);
  cell_fill missing{colors.missing, true};
  value_scale scale = chosen_scale(panels, options);
  chart c{visible_text(options.title),
          axis_of("source", options.source_name, options.source, first.columns, "column"),
          axis_of("target", options.target_name, options.target, first.rows, "row")};
  exceptions found;
  for (const titled_matrix &panel : panels) {
    chart_panel &drawn = c.panels.emplace_back(chart_panel{visible_text(panel.title), {}, {}});
    for (double value : panel.matrix.values) {
      found.count(value, scale);
      drawn.cells.push_back(std::isfinite(value) ? cell_fill{heat_color(scale.part(value), options.theme)}
                                                 : missing);
      if (options.values)
        drawn.values.push_back(value_text(value, scale));
    }
  }
  for (int i = 0; i < 256; ++i)
    c.bar_colors.push_back(heat_color(i / 255.0, options.theme));
  c.bar_ticks = ticks_of(scale);
  c.legend = legend_of(found, missing, options.theme);
  c.theme = options.theme;
  page result = lay_out(c);
  result.description = description_of(c, scale);
  return result;
}

page heat_map(const matrix &weights, const heat_map_options &options) {
  return heat_map_grid({{options.title, weights}}, options);
}

} // namespace heed::plot
