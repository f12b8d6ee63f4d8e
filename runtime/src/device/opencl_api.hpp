#pragma once
/// \file
/// The functions of OpenCL 1.2 that the runtime calls, with their types.

#include <cstddef>
#include <cstdint>

namespace heed::runtime::device::opencl {

using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_ulong = std::uint64_t;
using cl_bool = cl_uint;
using cl_platform_id = struct platform_object *;
using cl_device_id = struct device_object *;
using cl_context = struct context_object *;
using cl_command_queue = struct queue_object *;
using cl_mem = struct memory_object *;
using cl_program = struct program_object *;
using cl_kernel = struct kernel_object *;
using cl_event = struct event_object *;
using cl_properties = std::intptr_t;

inline constexpr cl_int success = 0, memory_allocation_failure = -4, out_of_resources = -5,
                        out_of_host_memory = -6, build_program_failure = -11;
inline constexpr cl_bool blocking = 1, non_blocking = 0;
inline constexpr cl_ulong type_cpu = 1 << 1, type_gpu = 1 << 2, type_all = 0xffffffff;
inline constexpr cl_uint device_type = 0x1000, device_max_work_group_size = 0x1004,
                         device_global_mem_size = 0x101f, device_local_mem_size = 0x1023,
                         device_name = 0x102b, device_double_fp_config = 0x1032;
inline constexpr cl_uint context_devices = 0x1081;
inline constexpr cl_uint queue_context = 0x1090, queue_device = 0x1091, queue_properties = 0x1093;
inline constexpr cl_ulong out_of_order = 1;
inline constexpr cl_uint mem_size = 0x1102;
inline constexpr cl_ulong mem_read_write = 1;
inline constexpr cl_uint program_build_log = 0x1183;

/// Found in the driver's library; `complete` when every function was.
struct functions {
  cl_int (*clGetPlatformIDs)(cl_uint, cl_platform_id *, cl_uint *);
  cl_int (*clGetDeviceIDs)(cl_platform_id, cl_ulong, cl_uint, cl_device_id *, cl_uint *);
  cl_int (*clGetDeviceInfo)(cl_device_id, cl_uint, std::size_t, void *, std::size_t *);
  cl_context (*clCreateContext)(const cl_properties *, cl_uint, const cl_device_id *,
                                void (*)(const char *, const void *, std::size_t, void *), void *, cl_int *);
  cl_int (*clRetainContext)(cl_context);
  cl_int (*clReleaseContext)(cl_context);
  cl_int (*clGetContextInfo)(cl_context, cl_uint, std::size_t, void *, std::size_t *);
  cl_command_queue (*clCreateCommandQueue)(cl_context, cl_device_id, cl_ulong, cl_int *);
  cl_int (*clRetainCommandQueue)(cl_command_queue);
  cl_int (*clReleaseCommandQueue)(cl_command_queue);
  cl_int (*clGetCommandQueueInfo)(cl_command_queue, cl_uint, std::size_t, void *, std::size_t *);
  cl_mem (*clCreateBuffer)(cl_context, cl_ulong, std::size_t, void *, cl_int *);
  cl_int (*clReleaseMemObject)(cl_mem);
  cl_int (*clGetMemObjectInfo)(cl_mem, cl_uint, std::size_t, void *, std::size_t *);
  cl_int (*clEnqueueWriteBuffer)(cl_command_queue, cl_mem, cl_bool, std::size_t, std::size_t, const void *,
                                 cl_uint, const cl_event *, cl_event *);
  cl_int (*clEnqueueReadBuffer)(cl_command_queue, cl_mem, cl_bool, std::size_t, std::size_t, void *, cl_uint,
                                const cl_event *, cl_event *);
  cl_int (*clEnqueueFillBuffer)(cl_command_queue, cl_mem, const void *, std::size_t, std::size_t, std::size_t,
                                cl_uint, const cl_event *, cl_event *);
  cl_int (*clFlush)(cl_command_queue);
  cl_int (*clFinish)(cl_command_queue);
  cl_program (*clCreateProgramWithSource)(cl_context, cl_uint, const char **, const std::size_t *, cl_int *);
  cl_int (*clBuildProgram)(cl_program, cl_uint, const cl_device_id *, const char *,
                           void (*)(cl_program, void *), void *);
  cl_int (*clGetProgramBuildInfo)(cl_program, cl_device_id, cl_uint, std::size_t, void *, std::size_t *);
  cl_int (*clReleaseProgram)(cl_program);
  cl_kernel (*clCreateKernel)(cl_program, const char *, cl_int *);
  cl_int (*clReleaseKernel)(cl_kernel);
  cl_int (*clSetKernelArg)(cl_kernel, cl_uint, std::size_t, const void *);
  cl_int (*clEnqueueNDRangeKernel)(cl_command_queue, cl_kernel, cl_uint, const std::size_t *,
                                   const std::size_t *, const std::size_t *, cl_uint, const cl_event *,
                                   cl_event *);
  bool complete;
};

/// Opened once per process.
const functions &cl() noexcept;

} // namespace heed::runtime::device::opencl
