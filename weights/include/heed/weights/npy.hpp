#pragma once
/// \file
/// NumPy's array files (NumPy Enhancement Proposal 1), formats 1.0 to 3.0, little endian, C and Fortran
/// order, of types b1, u1, i4, i8, f2, f4 and f8.

#include <heed/weights/dense_array.hpp>
#include <heed/weights/result.hpp>
#include <heed/weights/stored_tensor.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace heed {

/// The array of a file whose whole content is `bytes`; its name is the file's without folder and ending.
/// Whatever the bytes are, only they are read.
result<stored_tensor> parse_npy(std::span<const std::byte> bytes, const std::string &file) noexcept;

/// The array of a file in its own type, row-major.
result<dense_array> read_npy(const std::string &file) noexcept;

} // namespace heed
