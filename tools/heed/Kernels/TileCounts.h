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

struct TileCounts {
  std::int64_t all = 0;
  std::int64_t skippedStatically = 0;  ///< outside the range of keys that the analysis gives for the queries
  std::int64_t skippedDynamically = 0; ///< listed as empty before scores are computed
  std::int64_t withoutMask = 0;        ///< every pair is known to be visible
  std::int64_t withMask = 0;

  TileCounts &operator+=(const TileCounts &other);
};

/// `queryBlock` queries make a tile. `listed`: blocks of keys are listed by testing the mask before scores.
TileCounts countTiles(VisibleKeys &keys, const KeyBounds &bounds, const MaskRanges &ranges,
                      std::int64_t queryBlock, bool listed);

/// "2080 tiles of 64 queries × 64 keys: 992 skipped statically, …"
std::string tilesText(const TileCounts &counts, std::int64_t queryBlock);

} // namespace heed::tools

#endif // HEED_TOOLS_TILECOUNTS_H
