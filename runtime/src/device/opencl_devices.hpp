#pragma once
/// \file
/// Which OpenCL devices there are, and what they and their queues are like.

#include "heed/device.h"
#include "opencl_api.hpp"

#include <cstdint>

namespace heed::runtime::device::opencl {

/// Counted over all platforms, GPUs first, CPUs last. May throw std::bad_alloc.
heed_code find_device(std::int32_t index, cl_device_id &device, heed_status *status);

void describe(cl_device_id device, heed_device_description &description) noexcept;

/// Null for what is no queue.
cl_device_id device_of(cl_command_queue queue) noexcept;

/// That calls can be made in a queue of a caller.
heed_code check_queue(cl_command_queue queue, cl_context context, heed_status *status) noexcept;

} // namespace heed::runtime::device::opencl
