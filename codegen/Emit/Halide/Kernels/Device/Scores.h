//===- Scores.h - Device function of a score matrix -------------*- C++ -*-===//
//
// Scores or weights of all pairs, written out, as Kernels/Attention.h says of the score matrix, on a device.
//
//   scalars extents…
//   q(d, rows) k(d, keys) captures… [largest(rows) sum(rows)] -> y(keys, rows)
//
// Grid: batch, head[, member], queries, keys, where queries and keys are cut and have one element.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_SCORES_H
#define HEED_CODEGEN_KERNELS_DEVICE_SCORES_H

#include "../Attention.h"
#include "DeviceFunction.h"
#include "Schedule/Schedule.h"

namespace heed::kernels {

DeviceFunction buildDeviceScores(const AttentionKernel &kernel, const DeviceScoresSchedule &schedule,
                                 const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_SCORES_H
