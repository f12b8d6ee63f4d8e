//===- Linear.h - Device function of a linear layer -------------*- C++ -*-===//
//
// y = epilogue(x Wᵀ + b), as Kernels/Linear.h says, on a device. Grid: columns (or heads), leading axes,
// rows, where columns and rows are cut and have one element. Scalars: the epilogue's. Operands as on the CPU.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_LINEAR_H
#define HEED_CODEGEN_KERNELS_DEVICE_LINEAR_H

#include "../Linear.h"
#include "DeviceProduct.h"

namespace heed::kernels {

/// `gridRank` is the number of leading axes and 2.
DeviceFunction buildDeviceLinear(const LinearKernel &kernel, int gridRank,
                                 const DeviceLinearSchedule &schedule, const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_LINEAR_H
