#include "Schedule.h"

namespace heed {

namespace {

using Fault = std::optional<std::string>;

Fault atLeast(std::string_view field, int64_t value, int64_t least) {
  if (value >= least)
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed at least " + std::to_string(least);
}

Fault atMost(std::string_view field, int64_t value, int64_t most) {
  if (value <= most)
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed at most " + std::to_string(most);
}

Fault multiple(std::string_view field, int64_t value, int64_t unit, std::string_view why) {
  if (Fault fault = atLeast(field, value, 1))
    return fault;
  if (unit < 1 || value % unit == 0) // a unit below 1 is a fault of its own
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed a multiple of " +
         std::to_string(unit) + " (" + std::string(why) + ")";
}

Fault divides(std::string_view field, int64_t value, std::string_view ofField, int64_t of) {
  if (Fault fault = atLeast(field, value, 1))
    return fault;
  if (of % value == 0)
    return std::nullopt;
  return std::string(field) + " is " + std::to_string(value) + ", needed a divisor of " +
         std::string(ofField) + ", which is " + std::to_string(of);
}

/// The first fault of several.
Fault firstOf(std::initializer_list<Fault> faults) {
  for (const Fault &fault : faults)
    if (fault)
      return fault;
  return std::nullopt;
}

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

Fault check(const AttentionSchedule &s, int lanes) {
  return firstOf({check("", s.rows, lanes), checkOutputs("", s.rows), check("small_", s.small, lanes),
                  checkOutputs("small_", s.small), atLeast("small_limit", s.smallLimit, 0),
                  atLeast("depth_row_limit", s.depthRowLimit, 0),
                  atMost("depth_row_limit", s.depthRowLimit, mostFewRows),
                  multiple("depth_key_chunk", s.depthKeyChunk, lanes, "lanes"),
                  atMost("depth_key_chunk", s.depthKeyChunk, mostBlock)});
}

Fault check(const ScoresSchedule &s, int lanes) {
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

Fault check(const LinearSchedule &s, int lanes) {
  return firstOf({check("", s.block, lanes), check("small_", s.small, lanes),
                  atLeast("small_limit", s.smallLimit, 0), atLeast("few_row_limit", s.fewRowLimit, 0),
                  atMost("few_row_limit", s.fewRowLimit, mostFewRows), check(s.few)});
}

Fault check(const MatmulSchedule &s, int lanes) {
  return firstOf({atLeast("row_block", s.rowBlock, 1), atMost("row_block", s.rowBlock, mostBlock),
                  multiple("column_block", s.columnBlock, lanes, "lanes"),
                  atMost("column_block", s.columnBlock, mostBlock)});
}

Fault check(const RowsSchedule &s, int) {
  return firstOf({atLeast("row_block", s.rowBlock, 1), atMost("row_block", s.rowBlock, mostBlock)});
}

Fault check(const MapSchedule &s, int) {
  return firstOf({atLeast("inner_block", s.innerBlock, 1), atMost("inner_block", s.innerBlock, 1 << 20),
                  atLeast("outer_block", s.outerBlock, 1), atMost("outer_block", s.outerBlock, mostBlock)});
}

} // namespace

std::optional<std::string> checkSchedule(const Schedule &schedule, int lanes) {
  return std::visit([&](const auto &s) { return check(s, lanes); }, schedule);
}

} // namespace heed
