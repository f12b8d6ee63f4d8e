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

/// Ordinary memory, or memory that a device driver pinned for the CPU.
inline bool is_on_cpu(const DLDevice &device) noexcept {
  return device.device_type == kDLCPU || device.device_type == kDLCUDAHost ||
         device.device_type == kDLROCMHost;
}

} // namespace detail

/// A view of any rank. A tensor that can't be viewed gives a view that every call refuses in words.
inline heed_view from_dlpack(const DLTensor &tensor) noexcept {
  heed_view result{static_cast<unsigned char *>(tensor.data),
                   detail::dtype_from_dlpack(tensor.dtype),
                   tensor.ndim,
                   {},
                   {},
                   HEED_MEMORY_HOST,
                   0};
  if (!detail::is_on_cpu(tensor.device)) {
    result.dtype = HEED_FAULT_DEVICE;
    result.rank = static_cast<std::int32_t>(tensor.device.device_type);
    return result;
  }
  if (result.dtype < 0) {
    result.rank = static_cast<std::int32_t>(std::uint32_t{tensor.dtype.lanes} << 16 |
                                            std::uint32_t{tensor.dtype.bits} << 8 | tensor.dtype.code);
    return result;
  }
  if (result.data)
    result.data = static_cast<unsigned char *>(tensor.data) + tensor.byte_offset;
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

/// `heed::from_dlpack<const float, 3>(tensor)`, for a generated function's argument.
template <element T, int Rank> view<T, Rank> from_dlpack(const DLTensor &tensor) noexcept {
  return view<T, Rank>::from(from_dlpack(tensor));
}

} // namespace heed
