//===- Fields.h - Names of the fields of every schedule ---------*- C++ -*-===//
///
/// \file
/// The one list that printing and parsing share: `visitFields(schedule, f)` calls f(name, field) in print
/// order.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SCHEDULE_FIELDS_H
#define HEED_CODEGEN_SCHEDULE_FIELDS_H

#include "Schedule.h"

namespace heed {

inline constexpr std::string_view kindName(const AttentionSchedule &) { return "attention"; }
inline constexpr std::string_view kindName(const ScoresSchedule &) { return "scores"; }
inline constexpr std::string_view kindName(const LinearSchedule &) { return "linear"; }
inline constexpr std::string_view kindName(const MatmulSchedule &) { return "matmul"; }
inline constexpr std::string_view kindName(const RowsSchedule &) { return "rows"; }
inline constexpr std::string_view kindName(const MapSchedule &) { return "map"; }

inline constexpr std::string_view kindName(const DeviceAttentionSchedule &) { return "device_attention"; }
inline constexpr std::string_view kindName(const DeviceScoresSchedule &) { return "device_scores"; }
inline constexpr std::string_view kindName(const DeviceLinearSchedule &) { return "device_linear"; }
inline constexpr std::string_view kindName(const DeviceMatmulSchedule &) { return "device_matmul"; }
inline constexpr std::string_view kindName(const DeviceRowsSchedule &) { return "device_rows"; }
inline constexpr std::string_view kindName(const DeviceMapSchedule &) { return "device_map"; }

template <class F> void visitFields(AttentionSchedule &s, F f) {
  f("query_block", s.rows.queryBlock);
  f("key_chunk", s.rows.keyChunk);
  f("vectors", s.rows.vectors);
  f("key_tile", s.rows.keyTile);
  f("value_tile", s.rows.valueTile);
  f("value_vectors", s.rows.valueVectors);
  f("small_limit", s.smallLimit);
  f("small_query_block", s.small.queryBlock);
  f("small_key_chunk", s.small.keyChunk);
  f("small_vectors", s.small.vectors);
  f("small_key_tile", s.small.keyTile);
  f("small_value_tile", s.small.valueTile);
  f("small_value_vectors", s.small.valueVectors);
  f("depth_row_limit", s.depthRowLimit);
  f("depth_key_chunk", s.depthKeyChunk);
}

template <class F> void visitFields(ScoresSchedule &s, F f) {
  f("query_block", s.block.queryBlock);
  f("key_chunk", s.block.keyChunk);
  f("vectors", s.block.vectors);
  f("key_tile", s.block.keyTile);
  f("small_limit", s.smallLimit);
  f("small_query_block", s.small.queryBlock);
  f("small_key_chunk", s.small.keyChunk);
  f("small_vectors", s.small.vectors);
  f("small_key_tile", s.small.keyTile);
}

template <class F> void visitFields(LinearSchedule &s, F f) {
  f("row_block", s.block.rowBlock);
  f("column_block", s.block.columnBlock);
  f("depth_chunk", s.block.depthChunk);
  f("vectors", s.block.vectors);
  f("column_tile", s.block.columnTile);
  f("small_limit", s.smallLimit);
  f("small_row_block", s.small.rowBlock);
  f("small_column_block", s.small.columnBlock);
  f("small_depth_chunk", s.small.depthChunk);
  f("small_vectors", s.small.vectors);
  f("small_column_tile", s.small.columnTile);
  f("few_row_limit", s.fewRowLimit);
  f("few_column_block", s.few.columnBlock);
  f("few_row_tile", s.few.rowTile);
  f("few_column_tile", s.few.columnTile);
}

template <class F> void visitFields(MatmulSchedule &s, F f) {
  f("row_block", s.rowBlock);
  f("column_block", s.columnBlock);
}

template <class F> void visitFields(RowsSchedule &s, F f) { f("row_block", s.rowBlock); }

template <class F> void visitFields(MapSchedule &s, F f) {
  f("inner_block", s.innerBlock);
  f("outer_block", s.outerBlock);
}

template <class F> void visitFields(DeviceAttentionSchedule &s, F f) {
  f("threads_x", s.block.threadsX);
  f("threads_y", s.block.threadsY);
  f("row_tile", s.block.rowTile);
  f("key_tile", s.block.keyTile);
  f("column_vectors", s.block.columnVectors);
  f("depth_chunk", s.block.depthChunk);
  f("value_chunk", s.block.valueChunk);
  f("few_row_limit", s.fewRowLimit);
  f("few_part_keys", s.fewPartKeys);
  f("few_threads_x", s.few.threadsX);
  f("few_threads_y", s.few.threadsY);
  f("few_row_tile", s.few.rowTile);
  f("few_key_tile", s.few.keyTile);
  f("few_column_vectors", s.few.columnVectors);
  f("few_depth_chunk", s.few.depthChunk);
  f("few_value_chunk", s.few.valueChunk);
}

template <class F> void visitFields(DeviceTile &s, F f) {
  f("row_tile", s.rowTile);
  f("column_tile", s.columnTile);
  f("threads_x", s.threadsX);
  f("threads_y", s.threadsY);
  f("depth_chunk", s.depthChunk);
}

template <class F> void visitFields(DeviceScoresSchedule &s, F f) { visitFields(s.block, f); }
template <class F> void visitFields(DeviceLinearSchedule &s, F f) { visitFields(s.block, f); }
template <class F> void visitFields(DeviceMatmulSchedule &s, F f) { visitFields(s.block, f); }

template <class F> void visitFields(DeviceRowsSchedule &s, F f) {
  f("threads", s.threads);
  f("rows", s.rows);
}

template <class F> void visitFields(DeviceMapSchedule &s, F f) {
  f("threads_x", s.threadsX);
  f("threads_y", s.threadsY);
  f("elements", s.elements);
}

} // namespace heed

#endif // HEED_CODEGEN_SCHEDULE_FIELDS_H
