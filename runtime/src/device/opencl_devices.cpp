#include "opencl_devices.hpp"

#include "sentence.hpp"

#include <algorithm>
#include <vector>

namespace heed::runtime::device::opencl {
namespace {

/// A number or a handle; 0 where the driver doesn't say.
template <class Value> Value property(cl_device_id device, cl_uint which) noexcept {
  Value value{};
  if (cl().clGetDeviceInfo(device, which, sizeof value, &value, nullptr) != success)
    return {};
  return value;
}

template <class Value> Value property(cl_command_queue queue, cl_uint which) noexcept {
  Value value{};
  if (!queue || cl().clGetCommandQueueInfo(queue, which, sizeof value, &value, nullptr) != success)
    return {};
  return value;
}

int order(cl_device_id device) noexcept {
  const auto type = property<cl_ulong>(device, device_type);
  return type & type_gpu ? 0 : type & type_cpu ? 2 : 1;
}

std::vector<cl_device_id> all_devices() {
  std::vector<cl_device_id> all;
  cl_uint platform_count = 0;
  if (cl().clGetPlatformIDs(0, nullptr, &platform_count) != success || platform_count == 0)
    return all;
  std::vector<cl_platform_id> platforms(platform_count);
  if (cl().clGetPlatformIDs(platform_count, platforms.data(), nullptr) != success)
    return all;
  for (const cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (cl().clGetDeviceIDs(platform, type_all, 0, nullptr, &count) != success || count == 0)
      continue;
    std::vector<cl_device_id> devices(count);
    if (cl().clGetDeviceIDs(platform, type_all, count, devices.data(), nullptr) == success)
      all.insert(all.end(), devices.begin(), devices.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](cl_device_id a, cl_device_id b) { return order(a) < order(b); });
  return all;
}

} // namespace

heed_code find_device(std::int32_t index, cl_device_id &device, heed_status *status) {
  if (!cl().complete)
    return fail(status, HEED_UNSUPPORTED)
           << "opencl: libOpenCL.so.1 was not found, it is needed; install an OpenCL driver, or compile for "
              "the CPU, too, and set options.allow_cpu";
  const std::vector<cl_device_id> devices = all_devices();
  if (devices.empty())
    return fail(status, HEED_UNSUPPORTED) << "opencl: no device was found, one is needed; install a driver, "
                                             "or compile for the CPU, too, and "
                                             "set options.allow_cpu";
  if (index < 0 || static_cast<std::size_t>(index) >= devices.size())
    return fail(status, HEED_UNSUPPORTED) << "opencl: there is no device " << index << ", a number below "
                                          << devices.size() << " is needed; use 0 for the first";
  device = devices[static_cast<std::size_t>(index)];
  return HEED_OK;
}

void describe(cl_device_id device, heed_device_description &description) noexcept {
  description = {};
  cl().clGetDeviceInfo(device, device_name, sizeof description.name - 1, description.name, nullptr);
  description.memory_bytes = static_cast<std::int64_t>(property<cl_ulong>(device, device_global_mem_size));
  description.shared_bytes = static_cast<std::int64_t>(property<cl_ulong>(device, device_local_mem_size));
  description.block_threads =
      static_cast<std::int32_t>(property<std::size_t>(device, device_max_work_group_size));
  description.has_double = property<cl_ulong>(device, device_double_fp_config) != 0;
}

cl_device_id device_of(cl_command_queue queue) noexcept {
  return property<cl_device_id>(queue, queue_device);
}

heed_code check_queue(cl_command_queue queue, cl_context context, heed_status *status) noexcept {
  if (!cl().complete)
    return fail(status, HEED_UNSUPPORTED)
           << "opencl: libOpenCL.so.1 was not found, it is needed; install an OpenCL driver";
  if (!queue)
    return fail(status, HEED_INVALID_ARGUMENT)
           << "options: device has a context without a queue, both are needed; set queue to an in-order "
              "cl_command_queue";
  if (property<cl_context>(queue, queue_context) != context)
    return fail(status, HEED_INVALID_ARGUMENT)
           << "options: the queue of device belongs to another context, one of its context is needed; "
              "pass a cl_command_queue and the cl_context that it was made in";
  if (property<cl_ulong>(queue, queue_properties) & out_of_order)
    return fail(status, HEED_INVALID_ARGUMENT)
           << "options: the queue of device runs out of order, one that runs in order is needed; create "
              "it without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE";
  return HEED_OK;
}

} // namespace heed::runtime::device::opencl
