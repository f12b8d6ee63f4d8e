#include "Schedule.h"

#include <algorithm>

namespace heed {

int RowsTile::valueVectorsThatFit() const {
  constexpr int most = 8; // files can say anything
  for (int height = std::min(vectors, most); height > 1; --height)
    if (vectors % height == 0 && int64_t(height) * valueTile <= int64_t(vectors) * keyTile)
      return height;
  return 1;
}

/// Keys and values of a chunk fill half of a second cache of 1 MiB; scores then fit beside them.
static int defaultKeyChunk(const AttentionSizes &sizes) {
  constexpr int64_t bytes = 512 * 1024;
  const int64_t element = sizes.inPairs ? 2 : 4;
  const int64_t ofKey = element * (sizes.depth.value_or(64) + sizes.valueDepth.value_or(64));
  return int(std::clamp<int64_t>(bytes / std::max<int64_t>(ofKey, 1) / 256, 1, 4) * 256);
}

/// With 32 vector registers. Outputs take few rows and many columns at a time, since the weights pass once
/// per tile of columns, unless that adds columns. Weights in pairs are half as much, so that there the fewest
/// reads are the fastest.
static RowsTile defaultWideTile(const AttentionSizes &sizes, int lanes) {
  const int keyChunk = defaultKeyChunk(sizes);
  if (sizes.inPairs)
    return {4 * lanes, keyChunk, 4, 4, 4, 4};
  for (int columns : {12, 10, 8})
    if (sizes.valueDepth && *sizes.valueDepth % columns == 0)
      return {4 * lanes, keyChunk, 4, 4, columns, 2};
  return {4 * lanes, keyChunk, 4, 4, 4, 4};
}

AttentionSchedule defaultSchedule(const AttentionSizes &sizes, int lanes) {
  AttentionSchedule s;
  // 16 lanes come with 32 vector registers, fewer with 16. Of 4 lanes some hold a product on its way to the
  // sum, since SSE has no fused multiply-add.
  s.rows = lanes >= 16  ? defaultWideTile(sizes, lanes)
           : lanes >= 8 ? RowsTile{6 * lanes, 512, 3, 4, 4, 3}
                        : RowsTile{8 * lanes, 512, 2, 4, 4, 2};
  s.small = {lanes, 128, 1, 8, 4, 1};
  s.smallLimit = 2 * lanes;
  s.depthRowLimit = 1;
  s.depthKeyChunk = 1024;
  return s;
}

ScoresSchedule defaultScoresSchedule(int lanes) {
  ScoresSchedule s;
  s.block = lanes >= 16  ? RowsTile{4 * lanes, 256, 4, 4, 4, 4}
            : lanes >= 8 ? RowsTile{6 * lanes, 256, 3, 4, 4, 3}
                         : RowsTile{8 * lanes, 256, 2, 4, 4, 2};
  s.small = {lanes, 128, 1, 8, 4, 1};
  s.smallLimit = 2 * lanes;
  return s;
}

LinearSchedule defaultSchedule(const LinearSizes &sizes, int lanes) {
  LinearSchedule s;
  // Of many inputs, packed rows are worth to be used for longer; else small blocks, which leave less in the
  // last.
  const bool hasManyInputs = sizes.inputs.value_or(512) > 1024;
  // Weights are widened once per block of rows. Pairs of a chunk of inputs stay in the first cache.
  const LinearTile wide = sizes.inPairs         ? LinearTile{4 * lanes, 512, hasManyInputs ? 256 : 320, 4, 4}
                          : hasManyInputs       ? LinearTile{4 * lanes, 512, 512, 4, 4}
                          : sizes.widensWeights ? LinearTile{4 * lanes, 256, 512, 4, 4}
                                                : LinearTile{2 * lanes, 512, 512, 2, 8};
  s.block = lanes >= 16  ? wide
            : lanes >= 8 ? LinearTile{6 * lanes, 512, 512, 3, 4}
                         : LinearTile{6 * lanes, 513, 512, 3, 3};
  // Threads that share few rows divide them rather than the columns: every tile packs its rows anew.
  s.small = lanes >= 16 ? LinearTile{2 * lanes, 128, 512, 2, 8} : LinearTile{2 * lanes, 64, 512, 2, 4};
  s.smallLimit = lanes >= 16 ? 4 * lanes : 2 * lanes;
  s.few = lanes >= 16 ? FewRowsTile{128, 2, 8} : FewRowsTile{128, 1, 8};
  s.fewRowLimit = 8;
  return s;
}

MatmulSchedule defaultMatmulSchedule(int lanes) { return {16, 8 * lanes}; }

// Enough rows for a tile to be worth its start, few enough to stay in the first cache.
RowsSchedule defaultRowsSchedule(std::optional<int64_t> length) {
  constexpr int64_t elements = 8192;
  return {int(std::clamp<int64_t>(elements / std::max<int64_t>(length.value_or(512), 1), 4, 256))};
}

MapSchedule defaultMapSchedule(int) { return {1024, 16}; }

} // namespace heed
