#include "cuda_api.hpp"

#include "library.hpp"

namespace heed::runtime::device::cuda {
namespace {

// Some functions of the library have a newer form under another name.
#define FIND_AS(function, name) cuda.find(name, found.function)
#define FIND(function) FIND_AS(function, #function)

functions find_functions() noexcept {
  functions found{};
  const library cuda("libcuda.so.1");
  found.complete = cuda && FIND(cuInit) && FIND(cuGetErrorName) && FIND(cuDeviceGetCount) &&
                   FIND(cuDeviceGet) && FIND(cuDeviceGetName) && FIND(cuDeviceGetAttribute) &&
                   FIND_AS(cuDeviceTotalMem, "cuDeviceTotalMem_v2") && FIND(cuDevicePrimaryCtxRetain) &&
                   FIND_AS(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2") &&
                   FIND_AS(cuCtxPushCurrent, "cuCtxPushCurrent_v2") &&
                   FIND_AS(cuCtxPopCurrent, "cuCtxPopCurrent_v2") && FIND(cuCtxGetDevice) &&
                   FIND_AS(cuMemAlloc, "cuMemAlloc_v2") && FIND_AS(cuMemFree, "cuMemFree_v2") &&
                   FIND_AS(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2") &&
                   FIND_AS(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2") && FIND(cuMemsetD32Async) &&
                   FIND(cuStreamSynchronize) && FIND(cuModuleLoadDataEx) && FIND(cuModuleUnload) &&
                   FIND(cuModuleGetFunction) && FIND(cuFuncSetAttribute) && FIND(cuLaunchKernel);
  return found;
}

#undef FIND
#undef FIND_AS

} // namespace

const functions &cu() noexcept {
  static const functions found = find_functions();
  return found;
}

} // namespace heed::runtime::device::cuda
