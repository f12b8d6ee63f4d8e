#pragma once
/// \file
/// What the runtime needs to know of an element type.

#include "heed/abi.h"

#include <cstdint>
#include <string_view>

namespace heed::runtime {

struct element {
  std::string_view name; ///< as specs and headers write it
  std::uint8_t bytes;
  std::uint8_t code; ///< Halide's type codes: 0 int, 1 uint, 2 float, 3 bfloat
};

/// Indexed by heed_dtype.
inline constexpr element elements[] = {
    {"b8", 1, 1}, {"i32", 4, 0}, {"i64", 8, 0}, {"f16", 2, 2}, {"bf16", 2, 3}, {"f32", 4, 2}, {"f64", 8, 2},
};

inline constexpr std::int32_t element_count = sizeof elements / sizeof *elements;

/// Whether the first element is 0; for floats, of either sign.
bool is_zero(const heed_view &view) noexcept;

/// The first element of an i32 or i64.
std::int64_t integer(const heed_view &view) noexcept;

} // namespace heed::runtime
