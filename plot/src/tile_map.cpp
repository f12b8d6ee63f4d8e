#include "heed/plot/tile_map.hpp"

#include "chart.hpp"
#include "heed/plot/error.hpp"
#include "heed/plot/text.hpp"

#include <algorithm>

namespace heed::plot {

namespace {

struct tile_kind {
  const char *text;
  tile kind;
  rgb light, dark;
};

constexpr tile_kind kinds[] = {
    {"computed without the mask", tile::full, hex(0x1f6f8b), hex(0x4fb3d0)},
    {"computed with the mask", tile::partial, hex(0x8fc9b5), hex(0x2a6f6c)},
    {"skipped: found empty before scores are computed", tile::skipped_dynamically, hex(0xf3e3b3),
     hex(0x4f4a35)},
    {"skipped: outside the keys that the queries can see", tile::skipped_statically, hex(0xeef1f4),
     hex(0x262b31)},
};

cell_fill fill_of(tile kind, theme t) {
  for (const tile_kind &k : kinds)
    if (k.kind == kind)
      return {t == theme::dark ? k.dark : k.light};
  return {};
}

chart_axis axis_of(const char *name, std::int64_t count, std::int64_t per_tile) {
  chart_axis axis{std::string(name) + " (tiles of " + std::to_string(per_tile) + ")", {}, true};
  for (std::int64_t i = 0; i < count; ++i)
    axis.labels.push_back(std::to_string(i * per_tile));
  return axis;
}

} // namespace

page tile_map(const tile_grid &grid, const std::string &title, theme t) {
  if (grid.rows <= 0 || grid.columns <= 0 ||
      static_cast<std::int64_t>(grid.tiles.size()) != grid.rows * grid.columns)
    throw error("tiles: there are " + std::to_string(grid.tiles.size()) + " for " +
                std::to_string(grid.rows) + " × " + std::to_string(grid.columns) +
                ", at least one, and one for each place, is needed");
  chart c{visible_text(title), axis_of("Keys", grid.columns, grid.keys_per_tile),
          axis_of("Queries", grid.rows, grid.queries_per_tile)};
  chart_panel &panel = c.panels.emplace_back();
  for (tile kind : grid.tiles)
    panel.cells.push_back(fill_of(kind, t));
  c.theme = t;
  for (const tile_kind &k : kinds)
    if (std::int64_t count = std::count(grid.tiles.begin(), grid.tiles.end(), k.kind))
      c.legend.push_back({fill_of(k.kind, t), std::to_string(count) + " of " +
                                                  std::to_string(grid.tiles.size()) + " tiles " + k.text});
  page result = lay_out(c);
  result.description = "Tile map.";
  for (const legend_entry &entry : c.legend)
    result.description += " " + entry.text + ".";
  return result;
}

} // namespace heed::plot
