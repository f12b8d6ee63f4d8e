//===- Map.h - Element-by-element work on devices ---------------*- C++ -*-===//
//
//   buildDeviceMap  scalars, operands -> y, as MapKernel says. All scalars are extents.
//
// The grid holds the axes of the result that the kernel has not, outermost first. Axes that cut the kernel's
// may follow; they have one element. `within` of MapKernel::apply is the whole index in the result, innermost
// first. A table has its own axes, then the grid's.
//
// A block of threadsX × threadsY threads writes `elements` · threadsX neighbours along axis 0 for threadsY
// indices of axis 1: neighbouring threads, neighbouring elements.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_MAP_H
#define HEED_CODEGEN_KERNELS_DEVICE_MAP_H

#include "DeviceFunction.h"
#include "General.h"

namespace heed {

/// Element-by-element work on a device.
struct DeviceMapSchedule {
  int threadsX = 32; ///< of a block, along the innermost axis
  int threadsY = 8;  ///< along the next one
  int elements = 4;  ///< of one thread, along the innermost axis
  bool operator==(const DeviceMapSchedule &) const = default;
};

} // namespace heed

namespace heed::kernels {

/// `resultRank` axes, of which the grid holds those beyond the kernel's.
DeviceFunction buildDeviceMap(const MapKernel &kernel, int resultRank, int gridRank,
                              const DeviceMapSchedule &schedule, const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_MAP_H
