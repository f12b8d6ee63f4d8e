// What the runtime expects of CUDA's driver, beside the header that comes with it. Compiled, and never run.
#include <cuda.h> // first: it has newer names for some functions

#include "device/cuda_api.hpp"

#include <string_view>
#include <type_traits>

namespace {

namespace mine = heed::runtime::device::cuda;

/// Whether a value is passed alike, whatever its type is called.
template <class A, class B>
constexpr bool is_passed_alike = sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B> &&
                                 std::is_floating_point_v<A> == std::is_floating_point_v<B>;

template <class Mine, class Theirs> struct are_alike : std::false_type {};
template <class Result, class... Mine, class Error, class... Theirs>
  requires(sizeof...(Mine) == sizeof...(Theirs))
struct are_alike<Result (*)(Mine...), Error (*)(Theirs...)>
    : std::bool_constant<is_passed_alike<Result, Error> && (is_passed_alike<Mine, Theirs> && ...)> {};

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define EXPECT(function, name)                                                                               \
  static_assert(are_alike<decltype(mine::functions::function), decltype(&::function)>::value);               \
  static_assert(std::string_view(TEXT(function)) == name)

EXPECT(cuInit, "cuInit");
EXPECT(cuGetErrorName, "cuGetErrorName");
EXPECT(cuDeviceGetCount, "cuDeviceGetCount");
EXPECT(cuDeviceGet, "cuDeviceGet");
EXPECT(cuDeviceGetName, "cuDeviceGetName");
EXPECT(cuDeviceGetAttribute, "cuDeviceGetAttribute");
EXPECT(cuDeviceTotalMem, "cuDeviceTotalMem_v2");
EXPECT(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
EXPECT(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
EXPECT(cuCtxPushCurrent, "cuCtxPushCurrent_v2");
EXPECT(cuCtxPopCurrent, "cuCtxPopCurrent_v2");
EXPECT(cuCtxGetDevice, "cuCtxGetDevice");
EXPECT(cuMemAlloc, "cuMemAlloc_v2");
EXPECT(cuMemFree, "cuMemFree_v2");
EXPECT(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
EXPECT(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
EXPECT(cuMemsetD32Async, "cuMemsetD32Async");
EXPECT(cuStreamSynchronize, "cuStreamSynchronize");
EXPECT(cuModuleLoadDataEx, "cuModuleLoadDataEx");
EXPECT(cuModuleUnload, "cuModuleUnload");
EXPECT(cuModuleGetFunction, "cuModuleGetFunction");
EXPECT(cuFuncSetAttribute, "cuFuncSetAttribute");
EXPECT(cuLaunchKernel, "cuLaunchKernel");

static_assert(mine::success == CUDA_SUCCESS && mine::out_of_memory == CUDA_ERROR_OUT_OF_MEMORY &&
              mine::not_initialized == CUDA_ERROR_NOT_INITIALIZED &&
              mine::deinitialized == CUDA_ERROR_DEINITIALIZED && mine::no_device == CUDA_ERROR_NO_DEVICE &&
              mine::invalid_context == CUDA_ERROR_INVALID_CONTEXT &&
              mine::invalid_handle == CUDA_ERROR_INVALID_HANDLE &&
              mine::illegal_address == CUDA_ERROR_ILLEGAL_ADDRESS &&
              mine::launch_out_of_resources == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES &&
              mine::launch_timeout == CUDA_ERROR_LAUNCH_TIMEOUT &&
              mine::context_is_destroyed == CUDA_ERROR_CONTEXT_IS_DESTROYED &&
              mine::hardware_stack_error == CUDA_ERROR_HARDWARE_STACK_ERROR &&
              mine::launch_failed == CUDA_ERROR_LAUNCH_FAILED);
static_assert(mine::attribute_max_threads_per_block == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK &&
              mine::attribute_compute_capability_major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR &&
              mine::attribute_compute_capability_minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR &&
              mine::attribute_max_shared_memory_per_block_optin ==
                  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN &&
              mine::jit_error_log == CU_JIT_ERROR_LOG_BUFFER &&
              mine::jit_error_log_bytes == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES &&
              mine::function_max_dynamic_shared_bytes == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);

} // namespace
