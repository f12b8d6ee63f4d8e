#include "Faults.h"

#include <algorithm>

namespace heed {

int64_t sharedBytes(const DeviceTile &tile, int accumulatorBytes) {
  constexpr int64_t padding = 4; // keeps lines in different banks
  const int64_t lines = int64_t(tile.threadsX) * tile.columnTile + int64_t(tile.threadsY) * tile.rowTile;
  return lines * (tile.depthChunk + padding) * accumulatorBytes;
}

/// Keys and the weights that are made of them lie in one place one after the other, queries and values in the
/// other. Rows have four more elements, those of weights threadsX more.
int64_t sharedBytes(const DeviceAttentionTile &s, int accumulatorBytes) {
  const int64_t ofThreads = int64_t(s.threadsX) * s.threadsY * s.rowTile;
  const int64_t keys = std::max({int64_t(s.keyChunk()) * (s.depthChunk + 4), ofThreads,
                                 int64_t(s.queryBlock()) * (s.keyChunk() + s.threadsX)});
  const int64_t queries = std::max({int64_t(s.queryBlock()) * (s.depthChunk + 4), ofThreads,
                                    int64_t(s.valueChunk) * (int64_t(4) * s.columnVectors * s.threadsX + 4)});
  return (keys + queries) * accumulatorBytes;
}

namespace schedule {
namespace {

/// Sums that a thread keeps in registers, and what no block has more of on any device.
constexpr int64_t mostSums = 128, mostThreads = 1024, mostChunk = 1 << 10;

Fault isPowerOfTwo(std::string_view field, int64_t value) {
  if (value > 0 && (value & (value - 1)) == 0)
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed a power of two";
}

Fault checkThreads(const std::string &prefix, int threadsX, int threadsY, const ScheduleLimits &limits) {
  const std::string x = prefix + "threads_x", y = prefix + "threads_y";
  if (Fault fault = firstOf({atLeast(x, threadsX, 1), atMost(x, threadsX, mostThreads),
                             atLeast(y, threadsY, 1), atMost(y, threadsY, mostThreads)}))
    return fault;
  return atMost(x + " · " + y, int64_t(threadsX) * threadsY, limits.blockThreads);
}

Fault checkTile(std::string_view field, int tile) {
  return firstOf({atLeast(field, tile, 1), atMost(field, tile, mostSums)});
}

Fault checkShared(const std::string &prefix, int64_t bytes, const ScheduleLimits &limits) {
  return atMost(prefix + "shared memory in bytes", bytes, limits.sharedBytes);
}

Fault checkChunk(const std::string &field, int chunk) {
  return firstOf({multiple(field, chunk, 4, "values of one vector"), atMost(field, chunk, mostChunk)});
}

Fault check(const DeviceTile &tile, const ScheduleLimits &limits) {
  constexpr int f32 = 4;
  if (Fault fault = firstOf(
          {checkTile("row_tile", tile.rowTile), checkTile("column_tile", tile.columnTile),
           checkThreads("", tile.threadsX, tile.threadsY, limits), checkChunk("depth_chunk", tile.depthChunk),
           atMost("row_tile · column_tile", int64_t(tile.rowTile) * tile.columnTile, mostSums)}))
    return fault;
  return checkShared("", sharedBytes(tile, f32), limits);
}

Fault check(const std::string &prefix, const DeviceAttentionTile &tile, const ScheduleLimits &limits) {
  const auto named = [&](const char *field) { return prefix + field; };
  if (Fault fault =
          firstOf({checkThreads(prefix, tile.threadsX, tile.threadsY, limits),
                   checkTile(named("row_tile"), tile.rowTile), checkTile(named("key_tile"), tile.keyTile),
                   checkTile(named("column_vectors"), tile.columnVectors),
                   checkChunk(named("depth_chunk"), tile.depthChunk),
                   checkChunk(named("value_chunk"), tile.valueChunk)}))
    return fault;
  const std::string rows = named("row_tile"), keys = named("key_tile");
  if (Fault fault = firstOf(
          {atMost(rows + " · " + keys, int64_t(tile.rowTile) * tile.keyTile, mostSums),
           atMost("4 · " + rows + " · " + named("column_vectors"),
                  int64_t(4) * tile.rowTile * tile.columnVectors, mostSums),
           divides(named("value_chunk"), tile.valueChunk, named("threads_x · ") + keys, tile.keyChunk())}))
    return fault;
  constexpr int f32 = 4;
  return checkShared(prefix.empty() ? "" : "few rows' ", sharedBytes(tile, f32), limits);
}

} // namespace

Fault check(const DeviceAttentionSchedule &s, const ScheduleLimits &limits) {
  constexpr int64_t mostFewRows = 64, mostPartKeys = 1 << 16;
  if (Fault fault = firstOf({check("", s.block, limits), check("few_", s.few, limits)}))
    return fault;
  return firstOf({atLeast("few_row_limit", s.fewRowLimit, 0),
                  atMost("few_row_limit", s.fewRowLimit, mostFewRows),
                  multiple("few_part_keys", s.fewPartKeys, s.few.keyChunk(), "few_threads_x · few_key_tile"),
                  atMost("few_part_keys", s.fewPartKeys, mostPartKeys)});
}

Fault check(const DeviceLinearSchedule &s, const ScheduleLimits &limits) { return check(s.block, limits); }
Fault check(const DeviceScoresSchedule &s, const ScheduleLimits &limits) { return check(s.block, limits); }
Fault check(const DeviceMatmulSchedule &s, const ScheduleLimits &limits) { return check(s.block, limits); }

Fault check(const DeviceRowsSchedule &s, const ScheduleLimits &limits) {
  constexpr int64_t bytesPerThread = 16; // of what threads exchange
  if (Fault fault = firstOf({isPowerOfTwo("threads", s.threads), atMost("threads", s.threads, mostThreads),
                             atLeast("rows", s.rows, 1), atMost("rows", s.rows, mostThreads)}))
    return fault;
  const int64_t threads = int64_t(s.threads) * s.rows;
  return firstOf({atMost("threads · rows", threads, limits.blockThreads),
                  checkShared("", threads * bytesPerThread, limits)});
}

Fault check(const DeviceMapSchedule &s, const ScheduleLimits &limits) {
  constexpr int64_t mostElements = 16;
  return firstOf({checkThreads("", s.threadsX, s.threadsY, limits), atLeast("elements", s.elements, 1),
                  atMost("elements", s.elements, mostElements)});
}

} // namespace schedule
} // namespace heed
