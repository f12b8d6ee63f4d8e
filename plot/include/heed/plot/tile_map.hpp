/// What became of the tiles of an attention: blocks of queries by blocks of keys.
#ifndef HEED_PLOT_TILE_MAP_HPP
#define HEED_PLOT_TILE_MAP_HPP

#include "heed/plot/page.hpp"

namespace heed::plot {

enum class tile : std::uint8_t {
  skipped_statically,  ///< outside the keys that its queries can see
  skipped_dynamically, ///< found empty before scores are computed
  partial,             ///< computed with the mask
  full,                ///< computed without the mask
};

struct tile_grid {
  std::int64_t rows = 0, columns = 0;
  std::int64_t queries_per_tile = 1, keys_per_tile = 1;
  std::vector<tile> tiles; ///< row-major
};

/// Labels are the first query and the first key of a tile; the legend counts the tiles of each kind. Throws
/// error: no tiles.
page tile_map(const tile_grid &grid, const std::string &title, theme t = theme::light);

} // namespace heed::plot

#endif
