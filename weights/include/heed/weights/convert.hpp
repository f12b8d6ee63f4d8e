#pragma once
/// \file
/// Element types of files into those of kernels, only where every value is kept.

#include <heed/abi.h>

#include <cstddef>

namespace heed {

std::size_t bytes_per_element(heed_dtype type) noexcept;

/// "f32", …
const char *type_name(heed_dtype type) noexcept;

/// Every type into itself; f16 and bf16 into f32 and f64; f32 into f64.
bool converts(heed_dtype from, heed_dtype to) noexcept;

/// Converts `count` elements, where converts(from, to). Source and destination need no alignment. Subnormals,
/// signed zeros and infinities are kept; NaN stays NaN with its sign, and from 16 to 32 bits with its
/// payload.
void convert(const void *source, heed_dtype from, void *destination, heed_dtype to,
             std::size_t count) noexcept;

} // namespace heed
