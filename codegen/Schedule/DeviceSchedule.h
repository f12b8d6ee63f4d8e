//===- DeviceSchedule.h - How a fused operation runs on a device -*- C++ -*-===//
//
// Sizes of what a block of threads computes, and each thread of it. Kernels/Device has the kernels.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SCHEDULE_DEVICESCHEDULE_H
#define HEED_CODEGEN_SCHEDULE_DEVICESCHEDULE_H

#include <cstdint>

namespace heed {

/// A block of an attention takes query rows, and their keys chunk by chunk.
struct DeviceAttentionTile {
  int threadsX = 8;      ///< of a block, along keys and value columns
  int threadsY = 16;     ///< along query rows
  int rowTile = 4;       ///< query rows of one thread
  int keyTile = 8;       ///< keys of one thread
  int columnVectors = 2; ///< value columns of one thread, in fours
  int depthChunk = 32;   ///< columns of q and k in shared memory at once, a multiple of 4
  int valueChunk = 16;   ///< keys whose values are in shared memory at once, a divisor of the key chunk

  int queryBlock() const { return threadsY * rowTile; }
  int keyChunk() const { return threadsX * keyTile; }
  bool operator==(const DeviceAttentionTile &) const = default;
};

/// Two families of one fused attention. Which runs is decided per call, by the number of queries: up to
/// fewRowLimit `few`, whose blocks take parts of the keys that are merged, else `block`, which statistics and
/// key lists have, too.
struct DeviceAttentionSchedule {
  DeviceAttentionTile block;
  DeviceAttentionTile few;
  int fewRowLimit = 0;
  int fewPartKeys = 256; ///< keys of one part, a multiple of the key chunk
  bool operator==(const DeviceAttentionSchedule &) const = default;
};

/// Shared memory of one block.
int64_t sharedBytes(const DeviceAttentionTile &tile, int accumulatorBytes);

/// A product: a block of threadsX × threadsY threads sums threadsX · columnTile columns of threadsY · rowTile
/// rows, each thread columnTile × rowTile of them in its registers.
struct DeviceTile {
  int rowTile = 8;
  int columnTile = 8;
  int threadsX = 16;   ///< along columns
  int threadsY = 16;   ///< along rows
  int depthChunk = 16; ///< inputs that lie in shared memory at once, a multiple of 4
  bool operator==(const DeviceTile &) const = default;
};

struct DeviceLinearSchedule {
  DeviceTile block;
  bool operator==(const DeviceLinearSchedule &) const = default;
};

/// Columns are keys.
struct DeviceScoresSchedule {
  DeviceTile block;
  bool operator==(const DeviceScoresSchedule &) const = default;
};

struct DeviceMatmulSchedule {
  DeviceTile block;
  bool operator==(const DeviceMatmulSchedule &) const = default;
};

/// Operations along the last axis.
struct DeviceRowsSchedule {
  int threads = 128; ///< of one row, a power of two
  int rows = 1;      ///< of one block
  bool operator==(const DeviceRowsSchedule &) const = default;
};

/// Element-by-element work.
struct DeviceMapSchedule {
  int threadsX = 32; ///< of a block, along the innermost axis
  int threadsY = 8;  ///< along the next one
  int elements = 4;  ///< of one thread, along the innermost axis
  bool operator==(const DeviceMapSchedule &) const = default;
};

} // namespace heed

#endif // HEED_CODEGEN_SCHEDULE_DEVICESCHEDULE_H
