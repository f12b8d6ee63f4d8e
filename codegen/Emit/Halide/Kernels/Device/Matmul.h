//===- Matmul.h - Device function of a general product ----------*- C++ -*-===//
//
//   a(k, rows) b(columns, k) -> y(columns, rows), as Kernels/General.h says; axes of inputs have any strides.
//
// Grid: leading axes, rows, columns, where rows and columns are cut and have one element.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_MATMUL_H
#define HEED_CODEGEN_KERNELS_DEVICE_MATMUL_H

#include "DeviceFunction.h"
#include "General.h"
#include "Schedule/Schedule.h"

namespace heed::kernels {

/// `gridRank` is the number of leading axes and 2.
DeviceFunction buildDeviceMatmul(const MatmulKernel &kernel, int gridRank,
                                 const DeviceMatmulSchedule &schedule, const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_MATMUL_H
