#pragma once
/// \file
/// The functions of CUDA's driver that the runtime calls, with their types.

#include <cstddef>
#include <cstdint>

namespace heed::runtime::device::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct context_object *;
using CUstream = struct stream *;
using CUmodule = struct module_object *;
using CUfunction = struct function *;

inline constexpr CUresult success = 0, out_of_memory = 2, not_initialized = 3, deinitialized = 4,
                          no_device = 100, invalid_context = 201, invalid_handle = 400, illegal_address = 700,
                          launch_out_of_resources = 701, launch_timeout = 702, context_is_destroyed = 709,
                          hardware_stack_error = 714, launch_failed = 719;
inline constexpr int attribute_max_threads_per_block = 1, attribute_compute_capability_major = 75,
                     attribute_compute_capability_minor = 76,
                     attribute_max_shared_memory_per_block_optin = 97;
inline constexpr int jit_error_log = 5, jit_error_log_bytes = 6;
inline constexpr int function_max_dynamic_shared_bytes = 8;

/// A stream that is another one in every thread.
inline constexpr std::uintptr_t stream_per_thread = 2;

/// Found in the driver's library; `complete` when every function was.
struct functions {
  CUresult (*cuInit)(unsigned);
  CUresult (*cuGetErrorName)(CUresult, const char **);
  CUresult (*cuDeviceGetCount)(int *);
  CUresult (*cuDeviceGet)(CUdevice *, int);
  CUresult (*cuDeviceGetName)(char *, int, CUdevice);
  CUresult (*cuDeviceGetAttribute)(int *, int, CUdevice);
  CUresult (*cuDeviceTotalMem)(std::size_t *, CUdevice);
  CUresult (*cuDevicePrimaryCtxRetain)(CUcontext *, CUdevice);
  CUresult (*cuDevicePrimaryCtxRelease)(CUdevice);
  CUresult (*cuCtxPushCurrent)(CUcontext);
  CUresult (*cuCtxPopCurrent)(CUcontext *);
  CUresult (*cuCtxGetDevice)(CUdevice *);
  CUresult (*cuMemAlloc)(CUdeviceptr *, std::size_t);
  CUresult (*cuMemFree)(CUdeviceptr);
  CUresult (*cuMemcpyHtoDAsync)(CUdeviceptr, const void *, std::size_t, CUstream);
  CUresult (*cuMemcpyDtoHAsync)(void *, CUdeviceptr, std::size_t, CUstream);
  CUresult (*cuMemsetD32Async)(CUdeviceptr, unsigned, std::size_t, CUstream);
  CUresult (*cuStreamSynchronize)(CUstream);
  CUresult (*cuModuleLoadDataEx)(CUmodule *, const void *, unsigned, int *, void **);
  CUresult (*cuModuleUnload)(CUmodule);
  CUresult (*cuModuleGetFunction)(CUfunction *, CUmodule, const char *);
  CUresult (*cuFuncSetAttribute)(CUfunction, int, int);
  CUresult (*cuLaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             CUstream, void **, void **);
  bool complete;
};

/// Opened once per process.
const functions &cu() noexcept;

} // namespace heed::runtime::device::cuda
