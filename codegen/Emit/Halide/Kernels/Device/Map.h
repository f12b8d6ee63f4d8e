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
#include "Schedule/Schedule.h"

namespace heed::kernels {

/// `resultRank` axes, of which the grid holds those beyond the kernel's.
DeviceFunction buildDeviceMap(const MapKernel &kernel, int resultRank, int gridRank,
                              const DeviceMapSchedule &schedule, const DeviceTarget &target);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_MAP_H
