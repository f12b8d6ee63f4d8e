#include "heed/plot/write.hpp"

#include "fills.hpp"
#include "heed/plot/text.hpp"
#include "output.hpp"
#include "text_layout.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace heed::plot {

namespace {

constexpr double smallest_bordered = 6; // smaller cells become pixels of an image

double cell_width(const panel &p) { return p.area.width / static_cast<double>(p.columns); }
double cell_height(const panel &p) { return p.area.height / static_cast<double>(p.rows); }

void add_rectangle(cairo_t *context, const rectangle &r) {
  cairo_rectangle(context, r.x, r.y, r.width, r.height);
}

/// Stripes rising to the right across the rectangle, through corners that all rectangles share.
void draw_stripes(cairo_t *context, const rectangle &r, rgb color) {
  constexpr double distance = 5;
  set_color(context, color);
  cairo_set_line_width(context, 0.8);
  auto last = static_cast<int>(std::ceil((r.right() + r.bottom()) / distance));
  for (auto i = static_cast<int>(std::floor((r.x + r.y) / distance)); i <= last; ++i) {
    double sum = i * distance;
    cairo_move_to(context, sum - r.y, r.y);
    cairo_line_to(context, sum - r.bottom(), r.bottom());
  }
  cairo_stroke(context);
}

/// Adds the runs of hatched cells to the path; their number.
int add_hatched(cairo_t *context, const panel &p) {
  int runs = 0;
  for (std::int64_t row = 0; row < p.rows; ++row)
    for (std::int64_t first = 0, end = 0; first < p.columns; first = end + 1) {
      const cell_fill *cells = &p.cells[row * p.columns];
      end = first;
      while (end < p.columns && cells[end].hatched)
        ++end;
      if (end == first)
        continue;
      add_rectangle(context, {p.area.x + static_cast<double>(first) * cell_width(p),
                              p.area.y + static_cast<double>(row) * cell_height(p),
                              static_cast<double>(end - first) * cell_width(p), cell_height(p)});
      ++runs;
    }
  return runs;
}

void draw_hatch(cairo_t *context, const panel &p, rgb color) {
  constexpr int most_runs = 20000; // of more, scattered ones no stripe would be seen
  cairo_save(context);
  int runs = add_hatched(context, p);
  if (runs > 0 && runs <= most_runs) {
    cairo_clip(context);
    draw_stripes(context, p.area, color);
  }
  cairo_new_path(context);
  cairo_restore(context);
}

/// Cells as an image of so many pixels each that a viewer who smooths it can't blur them together.
void paint_image(cairo_t *context, const panel &p, const std::vector<rgb> &colors) {
  auto pixels = [](double cell) {
    return static_cast<std::int64_t>(std::clamp(std::ceil(2 * cell), 1.0, 12.0));
  };
  std::int64_t across = pixels(cell_width(p)), down = pixels(cell_height(p));
  auto width = static_cast<int>(p.columns * across), height = static_cast<int>(p.rows * down);
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), cairo_surface_destroy);
  if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS) {
    fill_cells(context, p, colors);
    return;
  }
  unsigned char *data = cairo_image_surface_get_data(image.get());
  int stride = cairo_image_surface_get_stride(image.get());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      rgb color = colors[y / down * p.columns + x / across];
      reinterpret_cast<std::uint32_t *>(data + static_cast<std::ptrdiff_t>(y) * stride)[x] =
          static_cast<std::uint32_t>(color.red) << 16 | static_cast<std::uint32_t>(color.green) << 8 |
          color.blue;
    }
  cairo_surface_mark_dirty(image.get());
  cairo_save(context);
  cairo_translate(context, p.area.x, p.area.y);
  cairo_scale(context, p.area.width / width, p.area.height / height);
  cairo_set_source_surface(context, image.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
  cairo_rectangle(context, 0, 0, width, height);
  cairo_fill(context);
  cairo_restore(context);
}

void draw_panel(cairo_t *context, const panel &p, const theme_colors &theme) {
  std::vector<rgb> colors;
  colors.reserve(p.cells.size());
  for (const cell_fill &fill : p.cells)
    colors.push_back(fill.color);
  double width = cell_width(p), height = cell_height(p);
  cairo_save(context);
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);
  if (std::min(width, height) < smallest_bordered) {
    paint_image(context, p, colors);
  } else {
    fill_cells(context, p, colors);
    draw_borders(context, p, theme.background, 0.5);
  }
  cairo_restore(context);
  draw_hatch(context, p, theme.hatch);
}

void draw_outline(cairo_t *context, const rectangle &r, rgb color) {
  set_color(context, color);
  cairo_set_line_width(context, 0.75);
  add_rectangle(context, r);
  cairo_stroke(context);
}

void draw_bar(cairo_t *context, const color_bar &bar) {
  std::unique_ptr<cairo_pattern_t, decltype(&cairo_pattern_destroy)> gradient(
      cairo_pattern_create_linear(0, bar.area.bottom(), 0, bar.area.y), cairo_pattern_destroy);
  auto last = static_cast<double>(bar.colors.size() - 1);
  for (std::size_t i = 0; i < bar.colors.size(); i += 3)
    cairo_pattern_add_color_stop_rgb(gradient.get(), static_cast<double>(i) / last, bar.colors[i].red / 255.0,
                                     bar.colors[i].green / 255.0, bar.colors[i].blue / 255.0);
  cairo_set_source(context, gradient.get());
  add_rectangle(context, bar.area);
  cairo_fill(context);
}

void draw_page(cairo_t *context, const page &p) {
  set_color(context, p.colors.background);
  cairo_paint(context);
  for (const panel &part : p.panels) {
    draw_panel(context, part, p.colors);
    draw_outline(context, part.area, p.colors.outline);
  }
  if (p.bar) {
    draw_bar(context, *p.bar);
    draw_outline(context, p.bar->area, p.colors.outline);
  }
  for (const swatch &s : p.swatches) {
    draw_panel(context, {1, 1, s.area, {s.fill}}, p.colors);
    draw_outline(context, s.area, p.colors.outline);
  }
  set_color(context, p.colors.outline);
  cairo_set_line_width(context, 0.75);
  for (const segment &mark : p.marks) {
    cairo_move_to(context, mark.from.x, mark.from.y);
    cairo_line_to(context, mark.to.x, mark.to.y);
  }
  cairo_stroke(context);
  for (const label &l : p.labels)
    draw(context, l);
}

/// Letters are outlines in the SVG, so readers and searches need the text beside them.
void insert_text(std::string &svg, const page &p) {
  std::size_t end = svg.find('>', svg.find("<svg"));
  svg.insert(end + 1, "\n<title>" + xml_escaped(p.title) + "</title>\n<desc>" + xml_escaped(p.description) +
                          "</desc>");
}

} // namespace

void write(const page &p, const std::string &file, double pixels_per_point) {
  format f = format_of(file);
  std::string bytes =
      drawn(f, {p.width, p.height, pixels_per_point}, file, [&](cairo_t *context) { draw_page(context, p); });
  if (f == format::svg)
    insert_text(bytes, p);
  write_file(file, bytes);
}

} // namespace heed::plot
