//===- Memory.h - Memory of the device --------------------------*- C++ -*-===//
///
/// \file
/// Addresses that are nobody's on the host and are never given twice, so that a pointer that is taken for
/// another kind, or outlives its memory, is seen.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_MEMORY_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_MEMORY_H

#include "Driver.h"

namespace checking {

/// The host's place of so many bytes of the device; null, and noted, where they aren't in one allocation.
std::byte *find(Context &context, uint64_t address, size_t bytes);

/// Whether the host may read there; noted if not.
bool isReadable(const void *pointer, size_t bytes);

} // namespace checking

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_MEMORY_H
