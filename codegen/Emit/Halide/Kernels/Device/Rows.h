//===- Rows.h - Operations along the last axis on devices -------*- C++ -*-===//
//
// What Rows.h of the CPU has, with its operands and rules; no scalars. The last grid axis cuts the rows and
// has one element; those before it are axes of x. Any row length, any strides.
//
// A block has `rows` rows, each folded by `threads` threads. A thread takes every threads-th element, so that
// neighbouring threads read neighbours, and folds them in its registers; the threads' values are folded in
// shared memory, eight to one until one is left. The order depends on the schedule and the row's length
// alone.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_ROWS_H
#define HEED_CODEGEN_KERNELS_DEVICE_ROWS_H

#include "../Rows.h"
#include "DeviceFunction.h"
#include "Schedule/Schedule.h"

namespace heed::kernels {

DeviceFunction buildDeviceSoftmax(const SoftmaxKernel &kernel, int gridRank,
                                  const DeviceRowsSchedule &schedule, const DeviceTarget &target);
DeviceFunction buildDeviceLogSumExp(const SoftmaxKernel &kernel, int gridRank,
                                    const DeviceRowsSchedule &schedule, const DeviceTarget &target);
DeviceFunction buildDeviceReduction(const ReductionKernel &kernel, int gridRank,
                                    const DeviceRowsSchedule &schedule, const DeviceTarget &target);
DeviceFunction buildDeviceNorm(const NormKernel &kernel, int gridRank, const DeviceRowsSchedule &schedule,
                               const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_ROWS_H
