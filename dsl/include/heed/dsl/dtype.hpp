#pragma once
/// \file
/// Element types: b8 (one byte, zero or nonzero), i32, i64, f16, bf16, f32, f64.

#include <heed/dsl/graph_data.hpp>

namespace heed {

using spec::dtype;
using enum spec::dtype;

namespace detail {

constexpr bool is_floating(dtype type) { return type >= dtype::f16; }
/// f16, bf16 and f32 may stand beside each other in one operation; f64 only beside itself.
constexpr bool mixes(dtype a, dtype b) {
  return is_floating(a) && is_floating(b) && (a == dtype::f64) == (b == dtype::f64);
}

/// The type of arithmetic of two types that mix: the wider one, f32 of f16 and bf16.
constexpr dtype wider(dtype a, dtype b) { return a == b ? a : dtype::f32; }

/// What rows are summed in: at least f32.
constexpr dtype at_least_f32(dtype type) { return type == dtype::f64 ? type : dtype::f32; }

constexpr bool is_integer(dtype type) { return type == dtype::i32 || type == dtype::i64; }

constexpr const char *dtype_name(dtype type) {
  constexpr const char *names[] = {"b8", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(type)];
}

} // namespace detail
} // namespace heed
