#include "axis_fit.hpp"
#include "text_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace heed::plot {

namespace {

constexpr double padding = 14, mark_length = 3.5, name_font = 11, title_font = 13, small_font = 9,
                 panel_title_font = 9.5, value_font = 8;
constexpr double longest_name = 320, longest_label = 140, longest_grid_label = 90;

struct extent {
  double left = std::numeric_limits<double>::infinity(), top = left, right = -left, bottom = -left;
  void add(point p) {
    left = std::min(left, p.x);
    top = std::min(top, p.y);
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
  void add(const rectangle &r) {
    add(point{r.x, r.y});
    add(point{r.right(), r.bottom()});
  }
  void add(const label &l) {
    for (point corner : l.corners())
      add(corner);
  }
};

/// Panels in columns and rows, with what stands between them.
class layout {
public:
  explicit layout(const chart &c) : c(c), colors(colors_of(c.theme)) {
    double name_length = 0;
    for (const chart_axis *axis : {&c.source, &c.target})
      name_length =
          std::max(name_length, measured(label_role::axis_name, axis->name, name_font, longest_name).width);
    fit = fit_panel(c, std::clamp(name_length + 6, 96.0, longest_name));
    width = fit.x.cell * static_cast<double>(c.source.labels.size());
    height = fit.y.cell * static_cast<double>(c.target.labels.size());
  }

  page run() {
    result.colors = colors;
    result.title = c.title;
    measure_source_labels();
    choose_columns();
    place_panels();
    place_names();
    place_bar();
    place_legend();
    place_title();
    move_onto_page();
    return std::move(result);
  }

private:
  const chart &c;
  theme_colors colors;
  panel_fit fit;
  page result;
  double width, height; ///< of a panel
  std::int64_t across = 1;
  double gap_x = 0, gap_y = 0, title_height = 0, source_height = 0;

  bool grid() const { return c.panels.size() > 1; }
  std::int64_t down() const { return (count() + across - 1) / across; }
  std::int64_t count() const { return static_cast<std::int64_t>(c.panels.size()); }
  double total_width() const { return static_cast<double>(across) * (width + gap_x) - gap_x; }
  double total_height() const { return result.panels.back().area.bottom() - result.panels.front().area.y; }
  double label_limit() const { return grid() ? longest_grid_label : longest_label; }

  label make(label_role role, const std::string &text, double size, double limit = 0) const {
    label l = measured(role, text, size, limit);
    l.color = colors.text;
    return l;
  }

  /// The label of a column, whose middle at the panel's lower edge is `at`.
  label source_label(const std::string &text, point at) const {
    label l = make(label_role::source, text, fit.font, label_limit());
    at.y += mark_length + 1;
    if (c.source.numbers) {
      l.origin = {at.x - l.width / 2, at.y};
      return l;
    }
    constexpr double half = std::numbers::sqrt2 / 2;
    l.angle = -45;
    // The middle of the text's right end stands below the column's middle.
    l.origin = {at.x - half * (l.width + l.height / 2), at.y + half * l.width};
    return l;
  }

  void measure_source_labels() {
    for (std::size_t i = 0; i < c.source.labels.size(); i += fit.x.every) {
      extent box;
      box.add(source_label(c.source.labels[i], {0, 0}));
      source_height = std::max(source_height, box.bottom);
    }
    if (!grid())
      return;
    title_height = measured(label_role::panel_title, "0", panel_title_font).height + 4;
    gap_x = std::max(16.0, fit.x.cell * static_cast<double>(fit.x.every));
    gap_y = title_height + 10;
  }

  /// Near to the shape of a landscape page, and without gaps in the last row if possible.
  void choose_columns() {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t columns = 1; columns <= count(); ++columns) {
      std::int64_t rows = (count() + columns - 1) / columns;
      double shape =
          static_cast<double>(columns) * (width + gap_x) / (static_cast<double>(rows) * (height + gap_y));
      double cost = std::fabs(std::log(shape / 1.4)) +
                    2.0 * static_cast<double>(rows * columns - count()) / static_cast<double>(columns);
      if (cost < least) {
        least = cost;
        across = columns;
      }
    }
  }

  void place_panels() {
    std::int64_t in_last_row = count() - (down() - 1) * across;
    for (std::int64_t i = 0; i < count(); ++i) {
      std::int64_t column = i % across, row = i / across;
      point corner{static_cast<double>(column) * (width + gap_x),
                   static_cast<double>(row) * (height + gap_y)};
      // Columns that end one row early have their labels there.
      if (row == down() - 1 && in_last_row < across && row > 0)
        corner.y += source_height;
      add_panel(c.panels[i], corner);
      if (column == 0)
        add_target_labels(corner);
      if (i + across >= count())
        add_source_labels(corner);
    }
  }

  void add_panel(const chart_panel &p, point corner) {
    auto rows = static_cast<std::int64_t>(c.target.labels.size()),
         columns = static_cast<std::int64_t>(c.source.labels.size());
    result.panels.push_back({rows, columns, {corner.x, corner.y, width, height}, p.cells});
    if (grid()) {
      label l = make(label_role::panel_title, p.title, panel_title_font, width + gap_x - 6);
      l.origin = {corner.x + (width - l.width) / 2, corner.y - 4 - l.height};
      result.labels.push_back(l);
    }
    for (std::size_t i = 0; i < p.values.size(); ++i) {
      auto at = static_cast<std::int64_t>(i), row = at / columns, column = at % columns;
      label l = make(label_role::value, p.values[i], value_font);
      l.color = readable_on(p.cells[i].color);
      l.origin = {corner.x + (static_cast<double>(column) + 0.5) * fit.x.cell - l.width / 2,
                  corner.y + (static_cast<double>(row) + 0.5) * fit.y.cell - l.height / 2};
      result.labels.push_back(l);
    }
  }

  void add_target_labels(point corner) {
    for (std::size_t i = 0; i < c.target.labels.size(); i += fit.y.every) {
      label l = make(label_role::target, c.target.labels[i], fit.font, label_limit());
      double y = corner.y + (static_cast<double>(i) + 0.5) * fit.y.cell;
      l.origin = {corner.x - mark_length - 2 - l.width, y - l.height / 2};
      result.labels.push_back(l);
      result.marks.push_back({{corner.x - mark_length, y}, {corner.x, y}});
    }
  }

  void add_source_labels(point corner) {
    for (std::size_t i = 0; i < c.source.labels.size(); i += fit.x.every) {
      point at{corner.x + (static_cast<double>(i) + 0.5) * fit.x.cell, corner.y + height};
      result.labels.push_back(source_label(c.source.labels[i], at));
      result.marks.push_back({at, {at.x, at.y + mark_length}});
    }
  }

  extent placed() const {
    extent all;
    for (const panel &p : result.panels)
      all.add(p.area);
    for (const label &l : result.labels)
      all.add(l);
    for (const swatch &s : result.swatches)
      all.add(s.area);
    if (result.bar)
      all.add(result.bar->area);
    return all;
  }

  void place_names() {
    double left = 0;
    for (const label &l : result.labels)
      if (l.role == label_role::target)
        left = std::min(left, l.origin.x);
    label target =
        make(label_role::axis_name, c.target.name, name_font, std::min(longest_name, total_height()));
    target.angle = -90;
    target.origin = {left - 8 - target.height, (total_height() + target.width) / 2};
    label source =
        make(label_role::axis_name, c.source.name, name_font, std::min(longest_name, total_width()));
    source.origin = {(total_width() - source.width) / 2, placed().bottom + 6};
    result.labels.push_back(target);
    result.labels.push_back(source);
  }

  void place_bar() {
    if (c.bar_colors.empty())
      return;
    rectangle area{total_width() + 18, 0, 14, total_height()};
    result.bar = color_bar{area, c.bar_colors};
    for (const scale_tick &tick : c.bar_ticks) {
      label l = make(label_role::tick, tick.text, small_font);
      double y = area.bottom() - tick.part * area.height;
      l.origin = {area.right() + mark_length + 2, y - l.height / 2};
      result.labels.push_back(l);
      result.marks.push_back({{area.right(), y}, {area.right() + mark_length, y}});
    }
  }

  void place_legend() {
    double y = placed().bottom + 10;
    for (const legend_entry &entry : c.legend) {
      label l = make(label_role::legend, entry.text, small_font);
      double line = std::max(14.0, l.height);
      rectangle area{0, y + (line - 11) / 2, 11, 11};
      l.origin = {area.right() + 6, y + (line - l.height) / 2};
      result.swatches.push_back({area, entry.fill});
      result.labels.push_back(l);
      y += line + 3;
    }
  }

  void place_title() {
    if (c.title.empty())
      return;
    label l = make(label_role::title, c.title, title_font);
    double longest = std::max(total_width(), longest_name);
    if (l.width > longest)
      l = make(label_role::title, c.title, title_font, longest);
    l.origin = {(total_width() - l.width) / 2, placed().top - 10 - l.height};
    result.labels.push_back(l);
  }

  void move_onto_page() {
    extent all = placed();
    // Whole points keep the edges of cells sharp.
    point shift{std::ceil(padding - all.left), std::ceil(padding - all.top)};
    auto move = [&](auto &place) {
      place.x += shift.x;
      place.y += shift.y;
    };
    for (panel &p : result.panels)
      move(p.area);
    for (label &l : result.labels)
      move(l.origin);
    for (swatch &s : result.swatches)
      move(s.area);
    for (segment &mark : result.marks) {
      move(mark.from);
      move(mark.to);
    }
    if (result.bar)
      move(result.bar->area);
    result.width = std::ceil(all.right + shift.x + padding);
    result.height = std::ceil(all.bottom + shift.y + padding);
  }
};

} // namespace

std::array<point, 4> label::corners() const {
  double radians = angle * std::numbers::pi / 180, cos = std::cos(radians), sin = std::sin(radians);
  auto turned = [&](double x, double y) {
    return point{origin.x + x * cos - y * sin, origin.y + x * sin + y * cos};
  };
  return {turned(0, 0), turned(width, 0), turned(width, height), turned(0, height)};
}

page lay_out(const chart &c) { return layout(c).run(); }

} // namespace heed::plot
