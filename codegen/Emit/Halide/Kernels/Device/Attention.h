//===- Attention.h - Fused attention on devices -----------------*- C++ -*-===//
//
// The device functions of an AttentionKernel, with the operands of Kernels/Attention.h in that order, whole.
// Scalars are the program's extents alone.
//
//   buildDeviceAttention   q k v captures… [sink] [list counts] -> out
//   buildDeviceStatistics  q k captures… [sink] [list counts] -> [largest] [sum] [log_sum_exp]
//                          Grid of both: batch, head[, member], queries, which cuts the rows. List and counts
//                          have an element per block of rows there.
//   buildDeviceKeyLists    shape captures… -> list counts
//                          Grid: batch, head[, member], queries with block `queryBlock`.
//   buildDeviceAttentionParts  q k v captures… -> parts
//                          Grid: as above, then keys with block `partKeys`, which has an element per part.
//   buildDeviceMerge       parts [sink] -> out
//   buildDeviceMergedStatistics  parts [sink] -> [largest] [sum] [log_sum_exp]
//                          Grid: batch, head[, member], queries, which cuts the rows.
//
// With `memberRows`, which parts and their merges may have, the grid is batch, head, member, queries[, keys]
// where members are cut and queries are not. Parts are (e, line, rows[, part]): line 0 has the sums of the
// weighted values, line 1 the largest score at even and the sum of the weights at odd columns. If nothing is
// normalized, they are (e, rows[, part]).
//
// A block of threads takes queryBlock rows, and their keys chunk by chunk: scores in registers, then weights
// in shared memory, then weighted sums of values in registers. Thread (x, y) has rows y + threadsY · n, keys
// x + threadsX · n of a chunk, and value columns 4 · (x + threadsX · n) + (0…3). Heads deeper than depthChunk
// come through shared memory slice by slice; value columns beyond what a block has are other blocks'.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_ATTENTION_H
#define HEED_CODEGEN_KERNELS_DEVICE_ATTENTION_H

#include "DeviceFunction.h"
#include "Emit/Halide/Kernels/Attention.h"

namespace heed::kernels {

DeviceFunction buildDeviceAttention(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                    const DeviceTarget &target);

DeviceFunction buildDeviceStatistics(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                     const DeviceTarget &target);

/// The captures of `kernel.program` are those that `visible` reads; scores are not looked at.
DeviceFunction buildDeviceKeyLists(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                   const DeviceTarget &target);

/// Of a kernel with values, for few rows: each block takes a part of their keys. A key list is not used.
DeviceFunction buildDeviceAttentionParts(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                         int partKeys, const DeviceTarget &target);
DeviceFunction buildDeviceMerge(const AttentionKernel &kernel, const DeviceTarget &target);
DeviceFunction buildDeviceMergedStatistics(const AttentionKernel &kernel, const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_ATTENTION_H
