#include "Schedule.h"

#include <algorithm>
#include <bit>

namespace heed {

/// Threads and shared memory of a block that every device has.
constexpr int blockThreads = 256, blockBytes = 32 << 10;

static int powerOfTwoFor(int64_t count, int64_t least, int64_t most) {
  return int(std::bit_ceil(uint64_t(std::clamp(count, least, most))));
}

static int64_t divideUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit; }

/// Value columns, in fours.
static int64_t vectorsOf(const AttentionSizes &sizes) { return divideUp(sizes.valueDepth.value_or(64), 4); }

/// All value columns are in the registers of one block's threads, if these suffice.
static int columnVectors(const AttentionSizes &sizes, int threadsX) {
  constexpr int64_t most = 4;
  return int(std::clamp<int64_t>(divideUp(vectorsOf(sizes), threadsX), 1, most));
}

static DeviceAttentionTile fitted(DeviceAttentionTile tile, const AttentionSizes &sizes) {
  if (sizes.accumulatorBytes > 4) { // twice the registers and memory
    tile.keyTile = std::max(tile.keyTile / 2, 1);
    tile.columnVectors = std::max(tile.columnVectors / 2, 1);
    tile.depthChunk /= 2;
    tile.valueChunk /= 2;
  }
  const auto isTooLarge = [&] { return sharedBytes(tile, sizes.accumulatorBytes) > blockBytes; };
  while (isTooLarge() && tile.valueChunk > 4)
    tile.valueChunk /= 2;
  while (isTooLarge() && tile.depthChunk > 8)
    tile.depthChunk /= 2;
  while (isTooLarge() && tile.rowTile > 1)
    tile.rowTile /= 2;
  return tile;
}

static DeviceAttentionTile defaultBlock(const AttentionSizes &sizes) {
  DeviceAttentionTile tile;
  while (tile.threadsX < 32 && columnVectors(sizes, tile.threadsX) * tile.threadsX < vectorsOf(sizes))
    tile.threadsX *= 2;
  tile.threadsY = std::min(tile.threadsY, blockThreads / tile.threadsX);
  tile.rowTile =
      int(std::clamp<int64_t>(divideUp(sizes.queries.value_or(1 << 20), tile.threadsY), 1, tile.rowTile));
  tile.keyTile = DeviceAttentionTile().keyChunk() / tile.threadsX;
  tile.columnVectors = columnVectors(sizes, tile.threadsX);
  return fitted(tile, sizes);
}

/// One or two warps, each with all columns: memory is what they wait for, so many blocks must fit a
/// multiprocessor. Rows are queries, or the members of a group.
static DeviceAttentionTile defaultFew(const AttentionSizes &sizes) {
  constexpr int64_t usualRows = 4, mostRows = 8;
  const bool isGrouped = sizes.members != 1;
  const int64_t rows =
      std::clamp<int64_t>((isGrouped ? sizes.members : sizes.queries).value_or(usualRows), 1, mostRows);
  DeviceAttentionTile tile;
  tile.threadsX = powerOfTwoFor(vectorsOf(sizes), 8, 32);
  tile.threadsY = std::max(32 / tile.threadsX, rows > 1 ? 2 : 1);
  tile.rowTile = int(divideUp(rows, tile.threadsY));
  tile.keyTile = DeviceAttentionTile().keyChunk() / tile.threadsX;
  tile.columnVectors = columnVectors(sizes, tile.threadsX);
  return fitted(tile, sizes);
}

DeviceAttentionSchedule defaultDeviceSchedule(const AttentionSizes &sizes) {
  constexpr int64_t fewRows = 8;
  DeviceAttentionSchedule s{defaultBlock(sizes), defaultFew(sizes)};
  const bool hasParts = !sizes.keys || *sizes.keys > s.fewPartKeys;
  s.fewRowLimit = sizes.queries.value_or(1) <= fewRows && hasParts ? fewRows : 0;
  return s;
}

static DeviceTile fitted(DeviceTile tile, int accumulatorBytes) {
  while (sharedBytes(tile, accumulatorBytes) > blockBytes && tile.depthChunk > 4)
    tile.depthChunk /= 2;
  return tile;
}

DeviceScoresSchedule defaultDeviceScoresSchedule(int accumulatorBytes) {
  return {fitted({}, accumulatorBytes)};
}

DeviceLinearSchedule defaultDeviceSchedule(const LinearSizes &sizes) {
  DeviceLinearSchedule s;
  // Few rows leave most of a high block empty.
  while (sizes.rows && s.block.rowTile > 1 && *sizes.rows <= s.block.threadsY * s.block.rowTile / 2)
    s.block.rowTile /= 2;
  return {fitted(s.block, sizes.accumulatorBytes)};
}

DeviceMatmulSchedule defaultDeviceMatmulSchedule(int accumulatorBytes) {
  return {fitted({}, accumulatorBytes)};
}

DeviceRowsSchedule defaultDeviceRowsSchedule(std::optional<int64_t> length) {
  constexpr int64_t elements = 4; // of one thread
  DeviceRowsSchedule s;
  if (length) {
    s.threads = powerOfTwoFor(*length / elements, 8, blockThreads);
    s.rows = std::max(1, 128 / s.threads);
  }
  return s;
}

DeviceMapSchedule defaultDeviceMapSchedule(std::optional<int64_t> innermost, int64_t rank) {
  DeviceMapSchedule s;
  if (rank < 2)
    return {blockThreads, 1, s.elements};
  if (!innermost || *innermost >= s.threadsX)
    return s;
  s.threadsX = powerOfTwoFor(*innermost, 1, s.threadsX);
  return {s.threadsX, blockThreads / s.threadsX, 1};
}

} // namespace heed
