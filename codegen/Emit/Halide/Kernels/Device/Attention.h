//===- Attention.h - Fused attention on devices -----------------*- C++ -*-===//
//
// The device functions of an AttentionKernel, with the operands of Kernels/Attention.h in that order, whole.
// Scalars are the program's extents alone; `memberRows` is for CPUs.
//
//   buildDeviceAttention   q k v captures… [sink] [list counts] -> out
//   buildDeviceStatistics  q k captures… [sink] [list counts] -> [largest] [sum] [log_sum_exp]
//                          Grid of both: batch, head[, member], queries, which cuts the rows. List and counts
//                          have an element per block of rows there.
//   buildDeviceKeyLists    shape captures… -> list counts
//                          Grid: batch, head[, member], queries with block `queryBlock`.
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

DeviceFunction buildDeviceAttention(const AttentionKernel &kernel, const DeviceAttentionSchedule &schedule,
                                    const DeviceTarget &target);

DeviceFunction buildDeviceStatistics(const AttentionKernel &kernel, const DeviceAttentionSchedule &schedule,
                                     const DeviceTarget &target);

/// The captures of `kernel.program` are those that `visible` reads; scores are not looked at.
DeviceFunction buildDeviceKeyLists(const AttentionKernel &kernel, const DeviceAttentionSchedule &schedule,
                                   const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_ATTENTION_H
