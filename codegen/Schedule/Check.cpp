#include "Faults.h"

namespace heed {

namespace {

using namespace schedule;

/// A register tile beyond this can't be held in any register file; it would only be slow, and slow to
/// compile.
constexpr int64_t mostVectors = 8, mostTile = 32, mostBlock = 1 << 16;

/// Scores that a tile holds in its scratch memory, whose size has 31 bits.
constexpr int64_t mostScores = 1 << 24;

/// What kernels with depth or inputs in lanes are made for.
constexpr int64_t mostFewRows = 8;

/// The register tile of outputs, which scores lack.
Fault checkOutputs(const std::string &prefix, const RowsTile &tile) {
  return firstOf({atLeast(prefix + "value_tile", tile.valueTile, 1),
                  atMost(prefix + "value_tile", tile.valueTile, mostTile),
                  divides(prefix + "value_vectors", tile.valueVectors, prefix + "vectors", tile.vectors)});
}

Fault check(const std::string &prefix, const RowsTile &tile, int lanes) {
  if (Fault fault = firstOf({atLeast(prefix + "vectors", tile.vectors, 1),
                             atMost(prefix + "vectors", tile.vectors, mostVectors),
                             atLeast(prefix + "key_tile", tile.keyTile, 1),
                             atMost(prefix + "key_tile", tile.keyTile, mostTile)}))
    return fault;
  return firstOf(
      {multiple(prefix + "query_block", tile.queryBlock, int64_t(tile.vectors) * lanes, "vectors · lanes"),
       atMost(prefix + "query_block", tile.queryBlock, mostBlock),
       multiple(prefix + "key_chunk", tile.keyChunk, tile.keyTile, "key_tile"),
       atMost(prefix + "key_chunk", tile.keyChunk, mostBlock),
       atMost(prefix + "query_block · " + prefix + "key_chunk", int64_t(tile.queryBlock) * tile.keyChunk,
              mostScores)});
}

Fault check(const std::string &prefix, const LinearTile &tile, int lanes) {
  if (Fault fault = firstOf({atLeast(prefix + "vectors", tile.vectors, 1),
                             atMost(prefix + "vectors", tile.vectors, mostVectors),
                             atLeast(prefix + "column_tile", tile.columnTile, 1),
                             atMost(prefix + "column_tile", tile.columnTile, mostTile),
                             atLeast(prefix + "depth_chunk", tile.depthChunk, 1),
                             atMost(prefix + "depth_chunk", tile.depthChunk, mostBlock)}))
    return fault;
  return firstOf(
      {multiple(prefix + "row_block", tile.rowBlock, int64_t(tile.vectors) * lanes, "vectors · lanes"),
       atMost(prefix + "row_block", tile.rowBlock, mostBlock),
       multiple(prefix + "column_block", tile.columnBlock, tile.columnTile, "column_tile"),
       atMost(prefix + "column_block", tile.columnBlock, mostBlock)});
}

Fault check(const AttentionSchedule &s, const ScheduleLimits &limits) {
  const int lanes = limits.lanes;
  return firstOf({check("", s.rows, lanes), checkOutputs("", s.rows), check("small_", s.small, lanes),
                  checkOutputs("small_", s.small), atLeast("small_limit", s.smallLimit, 0),
                  atLeast("depth_row_limit", s.depthRowLimit, 0),
                  atMost("depth_row_limit", s.depthRowLimit, mostFewRows),
                  multiple("depth_key_chunk", s.depthKeyChunk, lanes, "lanes"),
                  atMost("depth_key_chunk", s.depthKeyChunk, mostBlock)});
}

Fault check(const ScoresSchedule &s, const ScheduleLimits &limits) {
  const int lanes = limits.lanes;
  return firstOf(
      {check("", s.block, lanes), check("small_", s.small, lanes), atLeast("small_limit", s.smallLimit, 0)});
}

Fault check(const FewRowsTile &tile) {
  return firstOf({atLeast("few_row_tile", tile.rowTile, 1), atMost("few_row_tile", tile.rowTile, mostFewRows),
                  atLeast("few_column_tile", tile.columnTile, 1),
                  atMost("few_column_tile", tile.columnTile, mostTile),
                  multiple("few_column_block", tile.columnBlock, tile.columnTile, "few_column_tile"),
                  atMost("few_column_block", tile.columnBlock, mostBlock)});
}

Fault check(const LinearSchedule &s, const ScheduleLimits &limits) {
  const int lanes = limits.lanes;
  return firstOf({check("", s.block, lanes), check("small_", s.small, lanes),
                  atLeast("small_limit", s.smallLimit, 0), atLeast("few_row_limit", s.fewRowLimit, 0),
                  atMost("few_row_limit", s.fewRowLimit, mostFewRows), check(s.few)});
}

Fault check(const MatmulSchedule &s, const ScheduleLimits &limits) {
  const int lanes = limits.lanes;
  return firstOf({atLeast("row_block", s.rowBlock, 1), atMost("row_block", s.rowBlock, mostBlock),
                  multiple("column_block", s.columnBlock, lanes, "lanes"),
                  atMost("column_block", s.columnBlock, mostBlock)});
}

Fault check(const RowsSchedule &s, const ScheduleLimits &) {
  return firstOf({atLeast("row_block", s.rowBlock, 1), atMost("row_block", s.rowBlock, mostBlock)});
}

Fault check(const MapSchedule &s, const ScheduleLimits &) {
  return firstOf({atLeast("inner_block", s.innerBlock, 1), atMost("inner_block", s.innerBlock, 1 << 20),
                  atLeast("outer_block", s.outerBlock, 1), atMost("outer_block", s.outerBlock, mostBlock)});
}

} // namespace

std::optional<std::string> checkSchedule(const Schedule &schedule, const ScheduleLimits &limits) {
  return std::visit([&](const auto &s) { return check(s, limits); }, schedule);
}

} // namespace heed
