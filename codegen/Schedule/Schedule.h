//===- Schedule.h - How a fused operation is tiled --------------*- C++ -*-===//
//
// A schedule is a plain value: sizes of blocks, chunks and register tiles. It never changes what is computed,
// only how fast. ScheduleFile.h has its text form.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SCHEDULE_SCHEDULE_H
#define HEED_CODEGEN_SCHEDULE_SCHEDULE_H

#include "DeviceSchedule.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace heed {

/// Attention with query rows in vector lanes: one register tile holds `vectors` vectors of rows times
/// `keyTile` keys (scores), or `valueVectors` of them times `valueTile` value columns (outputs).
struct RowsTile {
  int queryBlock = 0; ///< query rows of one tile function call, a multiple of vectors · lanes
  int keyChunk = 0;   ///< keys whose scores are held at once, a multiple of keyTile
  int vectors = 0;
  int keyTile = 0;
  int valueTile = 0;
  int valueVectors = 0; ///< a divisor of vectors
  /// The most that are no more sums than the scores' tile has.
  int valueVectorsThatFit() const;
  bool operator==(const RowsTile &) const = default;
};

/// Three families of one fused attention. Which runs is decided per call, by the number of queries: up to
/// depthRowLimit depth in lanes, else up to smallLimit `small`, else `rows`.
struct AttentionSchedule {
  RowsTile rows;
  RowsTile small; ///< for small problems: one vector of rows
  int64_t smallLimit = 0;
  int depthRowLimit = 0; ///< also the rows of one such tile
  int depthKeyChunk = 0; ///< keys of one part
  bool operator==(const AttentionSchedule &) const = default;
};

/// The matrix of scores or weights: one tile is a query block of one key chunk.
struct ScoresSchedule {
  RowsTile block;
  RowsTile small;         ///< for small problems: one vector of rows
  int64_t smallLimit = 0; ///< `small` is run up to this many queries
  bool operator==(const ScoresSchedule &) const = default;
};

/// y = x Wᵀ + b with rows of x in lanes and rows of W broadcast.
struct LinearTile {
  int rowBlock = 0;    ///< rows of one tile function call, a multiple of vectors · lanes
  int columnBlock = 0; ///< columns of one tile function call, a multiple of columnTile
  int depthChunk = 0;  ///< input features accumulated in registers before they are added to memory
  int vectors = 0;
  int columnTile = 0;
  bool operator==(const LinearTile &) const = default;
};

/// y = x Wᵀ + b with inputs in lanes: one register tile sums rowTile × columnTile outputs.
struct FewRowsTile {
  int columnBlock = 0; ///< columns of one tile function call, a multiple of columnTile; it takes all rows
  int rowTile = 0;
  int columnTile = 0;
  bool operator==(const FewRowsTile &) const = default;
};

/// Three families of one linear layer. Which runs is decided per call, by the number of rows: up to
/// fewRowLimit `few`, else up to smallLimit `small`, else `block`.
struct LinearSchedule {
  LinearTile block;
  LinearTile small;
  FewRowsTile few;
  int64_t smallLimit = 0;
  int fewRowLimit = 0;
  bool operator==(const LinearSchedule &) const = default;
};

/// General matmul: one tile function call computes rowBlock × columnBlock outputs.
struct MatmulSchedule {
  int rowBlock = 0;
  int columnBlock = 0;
  bool operator==(const MatmulSchedule &) const = default;
};

/// Operations along the last axis (softmax, sums, norms): rows of one tile function call.
struct RowsSchedule {
  int rowBlock = 0;
  bool operator==(const RowsSchedule &) const = default;
};

/// Element-by-element work: extent of the tile along the two innermost axes.
struct MapSchedule {
  int innerBlock = 0;
  int outerBlock = 0;
  bool operator==(const MapSchedule &) const = default;
};

using Schedule =
    std::variant<AttentionSchedule, ScoresSchedule, LinearSchedule, MatmulSchedule, RowsSchedule, MapSchedule,
                 DeviceAttentionSchedule, DeviceScoresSchedule, DeviceLinearSchedule, DeviceMatmulSchedule,
                 DeviceRowsSchedule, DeviceMapSchedule>;

/// Schedules by the name of the fused operation.
using ScheduleTable = std::map<std::string, Schedule>;

/// The sizes that are numbers in the spec; symbolic ones are absent.
struct AttentionSizes {
  std::optional<int64_t> queries, keys, depth, valueDepth;
  bool inPairs = false;               ///< all products are dot products of pairs of bf16
  int accumulatorBytes = 4;           ///< 8 for f64
  std::optional<int64_t> members = 1; ///< query heads that share a head of keys
};
struct LinearSizes {
  std::optional<int64_t> rows, inputs, outputs;
  bool widensWeights = false; ///< they are stored narrower than they are multiplied
  bool inPairs = false;       ///< products are dot products of pairs of bf16
  int accumulatorBytes = 4;   ///< 8 for f64
};

/// Defaults for vectors of `lanes` 32-bit elements.
AttentionSchedule defaultSchedule(const AttentionSizes &sizes, int lanes);
ScoresSchedule defaultScoresSchedule(int lanes);
LinearSchedule defaultSchedule(const LinearSizes &sizes, int lanes);
MatmulSchedule defaultMatmulSchedule(int lanes);
/// For rows of `length` elements, if that is a number.
RowsSchedule defaultRowsSchedule(std::optional<int64_t> length);
MapSchedule defaultMapSchedule(int lanes);

/// Defaults for devices.
DeviceAttentionSchedule defaultDeviceSchedule(const AttentionSizes &sizes);
DeviceScoresSchedule defaultDeviceScoresSchedule(int accumulatorBytes = 4);
DeviceLinearSchedule defaultDeviceSchedule(const LinearSizes &sizes);
DeviceMatmulSchedule defaultDeviceMatmulSchedule(int accumulatorBytes = 4);
DeviceRowsSchedule defaultDeviceRowsSchedule(std::optional<int64_t> length);
/// For results of `rank` axes.
DeviceMapSchedule defaultDeviceMapSchedule(std::optional<int64_t> innermost, int64_t rank);

/// What schedules must fit: vectors of a CPU, or blocks of threads of a device.
struct ScheduleLimits {
  ScheduleLimits(int lanes) : lanes(lanes) {}
  ScheduleLimits(int sharedBytes, int blockThreads) : sharedBytes(sharedBytes), blockThreads(blockThreads) {}
  int lanes = 0;        ///< 32-bit elements of one vector
  int sharedBytes = 0;  ///< of one block
  int blockThreads = 0; ///< of one block
};

/// Text form of one entry: kind, name, one field per line.
std::string printSchedule(std::string_view name, const Schedule &schedule);

/// What makes a schedule impossible within limits, as `<field>: <found>, <needed>`; nothing if it can be
/// built.
std::optional<std::string> checkSchedule(const Schedule &schedule, const ScheduleLimits &limits);

/// Shared memory of one block.
int64_t sharedBytes(const DeviceTile &tile, int accumulatorBytes);

} // namespace heed

#endif // HEED_CODEGEN_SCHEDULE_SCHEDULE_H
