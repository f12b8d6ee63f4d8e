#pragma once
/// \file
/// Which C++ type holds the elements of a tensor.

#include <heed/abi.h>

#include <cstdint>
#include <type_traits>

namespace heed {

/// Storage of 16-bit floating-point elements: bits only, without arithmetic.
struct float16 {
  std::uint16_t bits;
};
struct bfloat16 {
  std::uint16_t bits;
};

namespace detail {
template <class T> struct c_dtype;
template <> struct c_dtype<bool> {
  static constexpr heed_dtype value = HEED_B8;
};
template <> struct c_dtype<std::uint8_t> {
  static constexpr heed_dtype value = HEED_B8;
};
template <> struct c_dtype<std::int32_t> {
  static constexpr heed_dtype value = HEED_I32;
};
template <> struct c_dtype<std::int64_t> {
  static constexpr heed_dtype value = HEED_I64;
};
template <> struct c_dtype<float16> {
  static constexpr heed_dtype value = HEED_F16;
};
template <> struct c_dtype<bfloat16> {
  static constexpr heed_dtype value = HEED_BF16;
};
template <> struct c_dtype<float> {
  static constexpr heed_dtype value = HEED_F32;
};
template <> struct c_dtype<double> {
  static constexpr heed_dtype value = HEED_F64;
};
} // namespace detail

/// A type that a view's elements can have, const or not.
template <class T>
concept element = requires { detail::c_dtype<std::remove_const_t<T>>::value; };

template <element T> inline constexpr heed_dtype dtype_of = detail::c_dtype<std::remove_const_t<T>>::value;

} // namespace heed
