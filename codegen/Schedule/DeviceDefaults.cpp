#include "Schedule.h"

#include <algorithm>
#include <bit>

namespace heed {

/// Threads and shared memory of a block that every device has.
constexpr int blockThreads = 256, blockBytes = 32 << 10;

static int powerOfTwoFor(int64_t count, int64_t least, int64_t most) {
  return int(std::bit_ceil(uint64_t(std::clamp(count, least, most))));
}

DeviceAttentionSchedule defaultDeviceSchedule(const AttentionSizes &sizes) {
  DeviceAttentionSchedule s;
  // All value columns are in the registers of one block's threads, if these suffice.
  constexpr int64_t fours = 4, mostVectors = 4;
  const int64_t vectors = (sizes.valueDepth.value_or(64) + fours - 1) / fours;
  while (s.threadsX < 32 && vectors > s.threadsX * mostVectors)
    s.threadsX *= 2;
  s.threadsY = std::min(s.threadsY, blockThreads / s.threadsX);
  s.rowTile =
      int(std::clamp<int64_t>((sizes.queries.value_or(1 << 20) + s.threadsY - 1) / s.threadsY, 1, s.rowTile));
  s.keyTile = DeviceAttentionSchedule().keyChunk() / s.threadsX;
  s.columnVectors = int(std::clamp<int64_t>((vectors + s.threadsX - 1) / s.threadsX, 1, mostVectors));
  if (sizes.accumulatorBytes > 4) { // twice the registers and memory
    s.keyTile = std::max(s.keyTile / 2, 1);
    s.columnVectors = std::max(s.columnVectors / 2, 1);
    s.depthChunk /= 2;
    s.valueChunk /= 2;
  }
  const auto isTooLarge = [&] { return sharedBytes(s, sizes.accumulatorBytes) > blockBytes; };
  while (isTooLarge() && s.valueChunk > 4)
    s.valueChunk /= 2;
  while (isTooLarge() && s.depthChunk > 8)
    s.depthChunk /= 2;
  while (isTooLarge() && s.rowTile > 1)
    s.rowTile /= 2;
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
