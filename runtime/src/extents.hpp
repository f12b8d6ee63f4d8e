#pragma once
/// \file
/// The sizes of a call: the value of every symbol, and of every extent that a program is made of.

#include "heed/abi.h"
#include "sentence.hpp"

#include <cstdint>

namespace heed::runtime {

struct sizes {
  sizes(const heed_program &program, std::int64_t *values) noexcept : program(program), values(values) {}

  const heed_program &program;
  std::int64_t *values;                   ///< one per extent of the program
  std::int64_t symbols[HEED_MAX_SYMBOLS]; ///< unknown until an argument tells
  std::int16_t origin[HEED_MAX_SYMBOLS];  ///< the argument that told it
};

inline constexpr std::int64_t unknown = -1;

/// Gives every symbol the value that the arguments imply, evaluates all extents, and compares each argument's
/// extents with them. Symbols that stand alone on an axis are bound first, then those that one exact division
/// finds.
heed_code bind_sizes(sizes &sizes, const heed_view *views, heed_status *status) noexcept;

/// `2*heads`, `width/8`, `ceil(keys/512)`.
sentence &write_extent(sentence &text, const heed_program &program, const heed_extent &extent) noexcept;

} // namespace heed::runtime
