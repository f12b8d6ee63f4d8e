//===- TileCounts.h - What a mask saves -------------------------*- C++ -*-===//
///
/// \file
/// Counts, for given sizes and inputs, the tiles of an attention (a block of queries by a block of keys) by
/// what becomes of them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_TILECOUNTS_H
#define HEED_TOOLS_TILECOUNTS_H

#include "Kernels/KeyBounds.h"
#include "Transforms/MaskRanges.h"

namespace heed::tools {

/// Keys of one tile: that of a key list.
inline constexpr std::int64_t keysPerTile = 64;

/// What becomes of a tile.
enum class TileKind {
  SkippedStatically,  ///< outside the range of keys that the analysis gives for the queries
  SkippedDynamically, ///< listed as empty before scores are computed
  WithoutMask,        ///< every pair is known to be visible
  WithMask,
};

/// How an attention treats the tiles of its queries: `queryBlock` queries make one. `listed`: blocks of keys
/// are listed by testing the mask before scores.
struct Tiling {
  const KeyBounds &bounds;
  const MaskRanges &ranges;
  std::int64_t queryBlock;
  bool listed;
};

/// The tiles of a block of queries, one per block of keys.
std::vector<TileKind> tileRow(VisibleKeys &keys, const Tiling &tiling, const QueryBlock &block);

struct TileCounts {
  std::int64_t all = 0;
  std::int64_t skippedStatically = 0, skippedDynamically = 0, withoutMask = 0, withMask = 0;
};

/// Over all heads and batch entries.
TileCounts countTiles(VisibleKeys &keys, const Tiling &tiling);

/// "2080 tiles of 64 queries × 64 keys: 992 skipped statically, …"
std::string tilesText(const TileCounts &counts, std::int64_t queryBlock);

} // namespace heed::tools

#endif // HEED_TOOLS_TILECOUNTS_H
