// Files: whole, readable by others, or an error.
#include "support.hpp"

#include <cairo.h>
#include <catch2/catch.hpp>
#include <glib.h>
#include <memory>

using namespace heed::plot;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

struct pixels {
  int width = 0, height = 0;
  std::vector<std::uint32_t> colors;
  rgb at(double x, double y) const {
    return hex(colors[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] & 0xffffff);
  }
};

pixels decoded(const std::string &file) {
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image(
      cairo_image_surface_create_from_png(file.c_str()), cairo_surface_destroy);
  REQUIRE(cairo_surface_status(image.get()) == CAIRO_STATUS_SUCCESS);
  pixels result{cairo_image_surface_get_width(image.get()), cairo_image_surface_get_height(image.get()), {}};
  for (int y = 0; y < result.height; ++y) {
    auto *row = reinterpret_cast<std::uint32_t *>(cairo_image_surface_get_data(image.get()) +
                                                  y * cairo_image_surface_get_stride(image.get()));
    result.colors.insert(result.colors.end(), row, row + result.width);
  }
  return result;
}

/// Its elements by name and its texts, joined; fails where it isn't well-formed.
struct document {
  std::string elements, text;
};

document parsed(const std::string &xml) {
  document found;
  GMarkupParser parser{};
  parser.start_element = [](GMarkupParseContext *, const char *name, const char **, const char **,
                            gpointer to,
                            GError **) { static_cast<document *>(to)->elements += std::string(name) + " "; };
  parser.text = [](GMarkupParseContext *, const char *text, gsize size, gpointer to, GError **) {
    static_cast<document *>(to)->text.append(text, size);
  };
  GMarkupParseContext *context = g_markup_parse_context_new(&parser, GMarkupParseFlags(0), &found, nullptr);
  CHECK(g_markup_parse_context_parse(context, xml.data(), static_cast<gssize>(xml.size()), nullptr));
  CHECK(g_markup_parse_context_end_parse(context, nullptr));
  g_markup_parse_context_free(context);
  return found;
}

std::size_t files_in(const folder &f) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(f.path), {}));
}

} // namespace

TEST_CASE("a PNG has the page's size and the cells' colours") {
  folder f;
  theme t = GENERATE(theme::light, theme::dark);
  int n = GENERATE(3, 200);
  page p = heat_map(sample(n, n + 1), {.theme = t});
  write(p, f / "a.png");
  pixels image = decoded(f / "a.png");
  CHECK(image.width == p.width * 2);
  CHECK(image.height == p.height * 2);
  CHECK(image.at(0, 0) == p.colors.background);
  const panel &cells = p.panels[0];
  double width = cells.area.width / (n + 1), height = cells.area.height / n;
  for (int row = 0; row < n; row += 1 + n / 10)
    for (int column = 0; column <= n; column += 1 + n / 10)
      CHECK(image.at((cells.area.x + (column + 0.5) * width) * 2,
                     (cells.area.y + (row + 0.5) * height) * 2) == cells.cells[row * (n + 1) + column].color);
  write(p, f / "b.png", 1);
  CHECK(decoded(f / "b.png").width == p.width);
}

TEST_CASE("cells without a number are striped, others are not") {
  folder f;
  int n = GENERATE(4, 160); // large cells, and pixels of an image
  matrix m = sample(n, n);
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      m.values[row * n + column] = column < n / 2 ? NAN : 0.5;
  page p = heat_map(m);
  write(p, f / "a.png");
  write(p, f / "a.svg");
  parsed(content_of(f / "a.svg"));
  pixels image = decoded(f / "a.png");
  const rectangle &area = p.panels[0].area;
  auto colors = [&](double from, double to) { // along a line that no border lies on
    std::size_t count = 0;
    for (double x = area.x + from * area.width + 4; x < area.x + to * area.width - 4; ++x)
      count += image.at(2 * x, 2 * (area.y + area.height / 8 + 1)) !=
               p.panels[0].cells[from > 0 ? n - 1 : 0].color;
    return count;
  };
  CHECK(colors(0, 0.25) > 5);
  CHECK(colors(0.75, 1) == 0);
}

TEST_CASE("an SVG is well-formed and says its title and tokens as text") {
  folder f;
  page p = heat_map(sample(2, 3), {.source = {{"<&>", "a b", "\x1b"}}, .title = "T < & > \"t\" \xff"});
  write(p, f / "a.svg");
  document found = parsed(content_of(f / "a.svg"));
  CHECK_THAT(found.elements, Contains("svg title desc "));
  CHECK_THAT(found.text,
             Contains("T < & > \"t\" \\xff") && Contains("<&> a␣b \\x1b") && Contains("Target Sequence (2)"));
}

TEST_CASE("large matrices make small files") {
  folder f;
  write(heat_map(sample(512, 512)), f / "a.svg");
  parsed(content_of(f / "a.svg"));
  CHECK(fs::file_size(f / "a.svg") < 3'000'000);
}

TEST_CASE("files appear whole or not at all") {
  folder f;
  page p = heat_map(sample(1, 1));
  CHECK_THROWS_WITH(write(p, f / "none/a.svg"),
                    Contains("none/a.svg: can't be written: No such file or directory"));
  fs::create_directory(f / "folder.svg");
  CHECK_THROWS_WITH(write(p, f / "folder.svg"), Contains("folder.svg: can't be written: Is a directory"));
  CHECK_THROWS_WITH(write(p, f / "a.jpg"), Contains("a.jpg: a name that ends with .svg or .png is needed"));
  CHECK_THROWS_WITH(write(p, f / "a.png", 1e9),
                    Contains("at most 32767 × 32767 are possible; write an .svg"));
  CHECK(files_in(f) == 1);
  std::ofstream(f / "a.svg") << "old";
  fs::create_symlink("a.svg", f / "link.svg");
  write(p, f / "link.svg");
  CHECK(fs::is_symlink(f / "link.svg"));
  CHECK_THAT(content_of(f / "a.svg"), Contains("</svg>"));
  CHECK(files_in(f) == 3);
}

TEST_CASE("cells alone are drawn without text, the same bytes each time") {
  folder f;
  draw_cells({2, 2, {1, 0, 0, 1}}, cell_palette::mask, f / "a.svg");
  draw_cells({2, 2, {1, 0, 0, 1}}, cell_palette::mask, f / "b.svg");
  CHECK(content_of(f / "a.svg") == content_of(f / "b.svg"));
  CHECK_THAT(parsed(content_of(f / "a.svg")).elements, !Contains("use") && !Contains("title"));
  draw_cells(normalized({1, 2, {-4, 4}}), cell_palette::heat, f / "a.png", 100);
  pixels image = decoded(f / "a.png");
  CHECK((image.width == 100 && image.height == 50));
  CHECK(image.at(20, 20) == heat_color(0));
  CHECK(image.at(80, 20) == heat_color(1));
  CHECK_THROWS_WITH(draw_cells({0, 1, {}}, cell_palette::heat, f / "c.svg"), Contains("the matrix is 0 × 1"));
}
