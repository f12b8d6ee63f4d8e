#include "text_layout.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <pango/pangocairo.h>
#include <vector>

namespace heed::plot {

namespace {

struct unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using pango_context = std::unique_ptr<PangoContext, unref>;
using pango_layout = std::unique_ptr<PangoLayout, unref>;

/// Glyphs keep their outlines and distances at every size, so that measures hold wherever the text is drawn.
pango_context make_context() {
  pango_context context(pango_font_map_create_context(pango_cairo_font_map_get_default()));
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context.get(), options);
  cairo_font_options_destroy(options);
  pango_cairo_context_set_resolution(context.get(), 72);
  pango_context_set_round_glyph_positions(context.get(), false);
  return context;
}

pango_layout make_layout(const label &l) {
  pango_context context = make_context();
  pango_layout layout(pango_layout_new(context.get()));
  PangoFontDescription *font = pango_font_description_from_string("sans-serif");
  pango_font_description_set_size(font, static_cast<int>(std::lround(l.size * PANGO_SCALE)));
  if (l.role == label_role::title)
    pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description(layout.get(), font);
  pango_font_description_free(font);
  pango_layout_set_text(layout.get(), l.text.data(), static_cast<int>(l.text.size()));
  pango_layout_set_alignment(layout.get(), PANGO_ALIGN_CENTER);
  if (l.limit > 0) {
    pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
    pango_layout_set_width(layout.get(), static_cast<int>(std::lround(l.limit * PANGO_SCALE)));
  }
  return layout;
}

rectangle box_of(PangoLayout *layout) {
  PangoRectangle ink, logical;
  pango_layout_get_extents(layout, &ink, &logical);
  if (ink.width == 0 || ink.height == 0)
    ink = logical;
  int left = std::min(ink.x, logical.x), top = std::min(ink.y, logical.y),
      right = std::max(ink.x + ink.width, logical.x + logical.width),
      bottom = std::max(ink.y + ink.height, logical.y + logical.height);
  constexpr double unit = 1.0 / PANGO_SCALE;
  return {left * unit, top * unit, (right - left) * unit, (bottom - top) * unit};
}

void measure(label &l) {
  pango_layout layout = make_layout(l);
  rectangle box = box_of(layout.get());
  l.width = box.width;
  l.height = box.height;
}

/// Offsets of the letters, each with its marks, and the text's end.
std::vector<std::size_t> letters_of(const label &l) {
  pango_layout layout = make_layout(l);
  int count = 0;
  const PangoLogAttr *attributes = pango_layout_get_log_attrs_readonly(layout.get(), &count);
  std::vector<std::size_t> letters;
  const char *at = l.text.c_str();
  for (int i = 0; i < count; ++i) {
    if (attributes[i].is_cursor_position || i + 1 == count)
      letters.push_back(static_cast<std::size_t>(at - l.text.c_str()));
    if (i + 1 < count)
      at = g_utf8_next_char(at);
  }
  return letters;
}

/// As many letters from both ends as fit with the ellipsis.
void shorten(label &l, double limit) {
  const std::vector<std::size_t> letters = letters_of(l);
  const std::string text = l.text;
  auto keep = [&](std::size_t count) {
    std::size_t front = letters[(count + 1) / 2], back = letters[letters.size() - 1 - count / 2];
    l.text = text.substr(0, front) + "\u2026" + text.substr(back);
    measure(l);
  };
  std::size_t least = 0, most = letters.size() - 2;
  while (least < most) {
    std::size_t middle = (least + most + 1) / 2;
    keep(middle);
    if (l.width <= limit)
      least = middle;
    else
      most = middle - 1;
  }
  keep(least);
  l.shortened = true;
}

/// Both ends of a text that no limit lets through anyway.
std::string ends_of(const std::string &text) {
  constexpr std::size_t kept = 400;
  if (text.size() <= 2 * kept)
    return text;
  auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; };
  std::size_t front = kept, back = text.size() - kept;
  while (continues(front))
    --front;
  while (back < text.size() && continues(back))
    ++back;
  return text.substr(0, front) + text.substr(back);
}

} // namespace

label measured(label_role role, std::string text, double size, double limit) {
  label l{role, std::move(text), size};
  if (role == label_role::title)
    l.limit = limit;
  else if (limit > 0)
    l.text = ends_of(l.text);
  measure(l);
  if (role != label_role::title && limit > 0 && l.width > limit)
    shorten(l, limit);
  return l;
}

void draw(cairo_t *context, const label &l) {
  pango_layout layout = make_layout(l);
  rectangle box = box_of(layout.get());
  cairo_save(context);
  cairo_set_source_rgb(context, l.color.red / 255.0, l.color.green / 255.0, l.color.blue / 255.0);
  cairo_translate(context, l.origin.x, l.origin.y);
  cairo_rotate(context, l.angle * std::numbers::pi / 180);
  cairo_move_to(context, -box.x, -box.y);
  pango_cairo_show_layout(context, layout.get());
  cairo_restore(context);
}

} // namespace heed::plot
