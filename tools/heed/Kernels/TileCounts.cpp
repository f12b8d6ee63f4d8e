#include "Kernels/TileCounts.h"

#include <algorithm>
#include <fmt/format.h>

namespace heed::tools {

namespace {

/// The pairs of a tile that are visible: some, all.
struct Visibility {
  bool some = false, all = true;
};

/// One per block of keys, for a block of queries.
std::vector<Visibility> visibilities(VisibleKeys &keys, const QueryBlock &block) {
  std::int64_t count = keys.shape()[3];
  std::vector<Visibility> result((count + keysPerTile - 1) / keysPerTile);
  for (std::int64_t q = block.firstQuery; q <= block.lastQuery; ++q) {
    const std::vector<std::uint8_t> &row = keys.row(block.batch, block.head, q);
    for (std::int64_t k = 0; k < count; ++k) {
      result[k / keysPerTile].some |= row[k];
      result[k / keysPerTile].all &= row[k];
    }
  }
  return result;
}

struct NumberedRange {
  std::int64_t first, end;
  bool touches(std::int64_t from, std::int64_t to) const { return std::max(first, from) < std::min(end, to); }
  bool holds(std::int64_t from, std::int64_t to) const { return first <= from && to <= end; }
};

NumberedRange numbered(const KeyBounds &bounds, const KeyRange &range, const QueryBlock &block,
                       NumberedRange otherwise) {
  std::optional<std::int64_t> first = bounds.evaluate(range.lower, block),
                              end = bounds.evaluate(range.upper, block);
  return first && end ? NumberedRange{*first, *end} : otherwise;
}

void count(TileCounts &counts, TileKind kind) {
  ++counts.all;
  switch (kind) {
  case TileKind::SkippedStatically:
    ++counts.skippedStatically;
    break;
  case TileKind::SkippedDynamically:
    ++counts.skippedDynamically;
    break;
  case TileKind::WithoutMask:
    ++counts.withoutMask;
    break;
  case TileKind::WithMask:
    ++counts.withMask;
    break;
  }
}

} // namespace

std::vector<TileKind> tileRow(VisibleKeys &keys, const Tiling &tiling, const QueryBlock &block) {
  std::int64_t keyCount = keys.shape()[3];
  NumberedRange visited = numbered(tiling.bounds, tiling.ranges.visible, block, {0, keyCount}),
                full = numbered(tiling.bounds, tiling.ranges.full, block, {0, 0});
  std::vector<TileKind> kinds;
  std::vector<Visibility> tiles = visibilities(keys, block);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    std::int64_t from = static_cast<std::int64_t>(i) * keysPerTile,
                 to = std::min(from + keysPerTile, keyCount);
    if (!visited.touches(from, to))
      kinds.push_back(TileKind::SkippedStatically);
    else if (tiling.listed && !tiles[i].some)
      kinds.push_back(TileKind::SkippedDynamically);
    else if (tiling.listed ? tiles[i].all && to - from == keysPerTile : full.holds(from, to))
      kinds.push_back(TileKind::WithoutMask);
    else
      kinds.push_back(TileKind::WithMask);
  }
  return kinds;
}

TileCounts countTiles(VisibleKeys &keys, const Tiling &tiling) {
  const Shape &shape = keys.shape();
  std::int64_t batches = keys.dependsOn(0) ? shape[0] : std::min<std::int64_t>(shape[0], 1),
               heads = keys.dependsOn(1) ? shape[1] : std::min<std::int64_t>(shape[1], 1);
  TileCounts counts;
  for (std::int64_t b = 0; b < batches; ++b)
    for (std::int64_t h = 0; h < heads; ++h)
      for (std::int64_t q = 0; q < shape[2]; q += tiling.queryBlock)
        for (TileKind kind : tileRow(keys, tiling, {b, h, q, std::min(q + tiling.queryBlock, shape[2]) - 1}))
          count(counts, kind);
  std::int64_t repeats = batches * heads == 0 ? 0 : shape[0] / batches * (shape[1] / heads);
  return {counts.all * repeats, counts.skippedStatically * repeats, counts.skippedDynamically * repeats,
          counts.withoutMask * repeats, counts.withMask * repeats};
}

std::string tilesText(const TileCounts &counts, std::int64_t queryBlock) {
  return fmt::format(
      "{} tiles of {} queries and {} keys: {} skipped statically, {} skipped dynamically, {} evaluated "
      "without the mask, {} with it",
      counts.all, queryBlock, keysPerTile, counts.skippedStatically, counts.skippedDynamically,
      counts.withoutMask, counts.withMask);
}

} // namespace heed::tools
