#include "axis_fit.hpp"

#include "text_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::plot {

namespace {

constexpr double largest_font = 11, smallest_font = 7, value_font = 8;
constexpr double air = 1.08; // between labels, relative to their height

/// Lengths of a panel's sides in points.
struct side_limits {
  double wanted;      ///< cells of a large matrix are made as small as this needs
  double with_labels; ///< but cells that are large enough for a label each may need as much
  double largest_cell;
};

side_limits limits_of(std::size_t panels) {
  if (panels == 1)
    return {560, 960, 48};
  return panels <= 16 ? side_limits{220, 420, 32} : side_limits{140, 260, 24};
}

/// Points along the axis that a label takes for each point of its font's size.
double room(const chart_axis &axis, bool along_x) {
  double tallest = 0, widest = 0;
  for (const std::string &text : axis.labels) {
    label l = measured(label_role::source, text, largest_font, 140);
    tallest = std::max(tallest, l.height);
    widest = std::max(widest, l.width);
  }
  double needed = !along_x       ? tallest * air
                  : axis.numbers ? widest + tallest / 2
                                 : tallest * std::numbers::sqrt2 * air;
  return needed / largest_font;
}

double rounded_up(double length) { return std::ceil(length * 2 - 1e-9) / 2; }

double smallest_cell(std::int64_t count) {
  return std::max(0.5, std::min(1.5, std::floor(960.0 / static_cast<double>(count) * 2) / 2));
}

/// 1, 2 or 5 times a power of ten.
std::int64_t round_step(double least) {
  for (std::int64_t power = 1;; power *= 10)
    for (std::int64_t digit : {1, 2, 5})
      if (static_cast<double>(digit * power) >= least)
        return digit * power;
}

/// Both to one length where the longer side stays within the limit.
void square(double &width, double &height, std::int64_t columns, std::int64_t rows, double limit) {
  double cell = std::max(width, height);
  if (cell * static_cast<double>(std::max(columns, rows)) <= limit)
    width = height = cell;
}

point value_size(const chart &c) {
  point size;
  for (const chart_panel &panel : c.panels)
    for (const std::string &text : panel.values) {
      label l = measured(label_role::value, text, value_font);
      size = {std::max(size.x, l.width + 5), std::max(size.y, l.height + 3)};
    }
  return size;
}

} // namespace

panel_fit fit_panel(const chart &c, double shortest_side) {
  side_limits limits = limits_of(c.panels.size());
  auto columns = static_cast<std::int64_t>(c.source.labels.size()),
       rows = static_cast<std::int64_t>(c.target.labels.size());
  double room_x = room(c.source, true), room_y = room(c.target, false);
  auto all_labels = [&](std::int64_t count, double room) {
    double side = static_cast<double>(count) * room * smallest_font;
    return side <= limits.with_labels ? room * smallest_font : 0;
  };
  point value = value_size(c);
  double base = std::min(limits.largest_cell, limits.wanted / static_cast<double>(std::max(columns, rows)));
  double width = std::max({base, smallest_cell(columns), all_labels(columns, room_x), value.x}),
         height = std::max({base, smallest_cell(rows), all_labels(rows, room_y), value.y});
  square(width, height, columns, rows, limits.with_labels);

  double widened = std::max({1.0, shortest_side / (width * static_cast<double>(columns)),
                             shortest_side / (height * static_cast<double>(rows))});
  double longer = std::max(width * static_cast<double>(columns), height * static_cast<double>(rows));
  double together = std::max(1.0, std::min(widened, limits.wanted / longer));
  width = rounded_up(std::max(width * together, shortest_side / static_cast<double>(columns)));
  height = rounded_up(std::max(height * together, shortest_side / static_cast<double>(rows)));

  panel_fit fit{{width, 1}, {height, 1}, largest_font};
  for (double share : {width / room_x, height / room_y})
    if (share >= smallest_font)
      fit.font = std::min(fit.font, share);
  fit.font = std::max(smallest_font, std::floor(fit.font * 2) / 2);
  auto every = [&](double cell, double room) {
    double needed = room * fit.font;
    return cell >= needed ? 1 : round_step(needed / cell);
  };
  fit.x.every = every(width, room_x);
  fit.y.every = every(height, room_y);
  if (c.source.numbers && c.target.numbers && std::min(fit.x.every, fit.y.every) > 1)
    fit.x.every = fit.y.every = std::max(fit.x.every, fit.y.every);
  return fit;
}

} // namespace heed::plot
