#pragma once
/// \file
/// Views of DLPack tensors, which need <dlpack/dlpack.h>.

#include <heed/abi.h>
#include <heed/view.hpp>

#include <dlpack/dlpack.h>

#include <cstdint>

namespace heed {
namespace detail {

/// The heed_dtype of a DLPack type, or HEED_FAULT_TYPE.
inline std::int32_t dtype_from_dlpack(const DLDataType &type) noexcept {
  if (type.lanes != 1)
    return HEED_FAULT_TYPE;
  const int code = type.code, bits = type.bits;
  if (bits == 8 && (code == kDLUInt || code == 6 /* kDLBool of newer headers */))
    return HEED_B8;
  if (code == kDLInt)
    return bits == 32 ? HEED_I32 : bits == 64 ? HEED_I64 : static_cast<std::int32_t>(HEED_FAULT_TYPE);
  if (code == kDLBfloat && bits == 16)
    return HEED_BF16;
  if (code != kDLFloat)
    return HEED_FAULT_TYPE;
  return bits == 16   ? HEED_F16
         : bits == 32 ? HEED_F32
         : bits == 64 ? HEED_F64
                      : static_cast<std::int32_t>(HEED_FAULT_TYPE);
}

/// The heed_memory of a DLPack device, or -1.
inline std::int32_t memory_from_dlpack(const DLDevice &device) noexcept {
  switch (static_cast<int>(device.device_type)) {
  case kDLCPU:
  case kDLCUDAHost: // memory that a driver pinned for the CPU
  case kDLROCMHost:
    return HEED_MEMORY_HOST;
  case kDLCUDA:
  case kDLCUDAManaged:
    return HEED_MEMORY_CUDA;
  case kDLOpenCL:
    return HEED_MEMORY_OPENCL;
  default:
    return -1;
  }
}

/// Where a tensor begins. An offset in bytes becomes one in elements, or part of an address.
inline void place_from_dlpack(heed_view &view, const DLTensor &tensor) noexcept {
  if (view.memory != HEED_MEMORY_OPENCL) {
    if (view.data)
      view.data = static_cast<unsigned char *>(tensor.data) + tensor.byte_offset;
    return;
  }
  const std::uint64_t bytes = tensor.dtype.bits / 8u;
  view.first = tensor.byte_offset % bytes == 0 ? static_cast<std::int64_t>(tensor.byte_offset / bytes) : -1;
}

} // namespace detail

/// A view of any rank, of memory of the host, of CUDA or of OpenCL. A tensor that can't be viewed gives a
/// view that every call refuses in words.
inline heed_view from_dlpack(const DLTensor &tensor) noexcept {
  heed_view result{static_cast<unsigned char *>(tensor.data),
                   detail::dtype_from_dlpack(tensor.dtype),
                   tensor.ndim,
                   {},
                   {},
                   detail::memory_from_dlpack(tensor.device),
                   0};
  if (result.memory < 0) {
    result.memory = HEED_MEMORY_HOST;
    result.dtype = HEED_FAULT_DEVICE;
    result.rank = static_cast<std::int32_t>(tensor.device.device_type);
    return result;
  }
  if (result.dtype < 0) {
    result.rank = static_cast<std::int32_t>(std::uint32_t{tensor.dtype.lanes} << 16 |
                                            std::uint32_t{tensor.dtype.bits} << 8 | tensor.dtype.code);
    return result;
  }
  detail::place_from_dlpack(result, tensor);
  std::int64_t dense = 1;
  for (int axis = tensor.ndim - 1; axis >= 0; --axis) {
    if (axis < HEED_MAX_RANK) {
      result.extents[axis] = tensor.shape[axis];
      result.strides[axis] = tensor.strides ? tensor.strides[axis] : dense;
    }
    dense = static_cast<std::int64_t>(static_cast<std::uint64_t>(dense) *
                                      static_cast<std::uint64_t>(tensor.shape[axis]));
  }
  return result;
}

/// The device of a tensor, for options.device: the runtime's context there, which for CUDA is the one that
/// tensors of others are in. `api` is HEED_DEVICE_NONE for memory of the host.
inline heed_device device_from_dlpack(const DLTensor &tensor) noexcept {
  const std::int32_t memory = detail::memory_from_dlpack(tensor.device);
  const heed_device_api api = memory == HEED_MEMORY_CUDA     ? HEED_DEVICE_CUDA
                              : memory == HEED_MEMORY_OPENCL ? HEED_DEVICE_OPENCL
                                                             : HEED_DEVICE_NONE;
  return {api, tensor.device.device_id, nullptr, nullptr};
}

/// `heed::from_dlpack<const float, 3>(tensor)`, for a generated function's argument.
template <element T, int Rank> view<T, Rank> from_dlpack(const DLTensor &tensor) noexcept {
  return view<T, Rank>::from(from_dlpack(tensor));
}

} // namespace heed
