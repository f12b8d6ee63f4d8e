#pragma once
/// \file
/// Element types: b8 (one byte, zero or nonzero), i32, i64, f16, bf16, f32, f64.

#include <heed/dsl/graph_data.hpp>

namespace heed {

using spec::dtype;
using enum spec::dtype;

namespace detail {

constexpr bool is_floating(dtype type) { return type >= dtype::f16; }
constexpr bool is_integer(dtype type) { return type == dtype::i32 || type == dtype::i64; }

constexpr const char *dtype_name(dtype type) {
  constexpr const char *names[] = {"b8", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(type)];
}

} // namespace detail
} // namespace heed
