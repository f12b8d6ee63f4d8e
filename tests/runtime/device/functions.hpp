#pragma once
/// \file
/// A device function by hand, as the compiler's are: code for the device and what starts it.

#include "../table.hpp"
#include "../tile_functions.hpp"

#include <heed/device.h>

namespace heed::test {

/// y = x · factor + 1 on a launch of at most three dimensions in all: kernel axes, then grid axes. The factor
/// is a buffer of one element.
int scale(void **args);

/// scale for a kernel of rank 1 in a grid of rank 1: x, factor -> y.
inline constexpr int scale_operands = 3;

/// A function whose code no driver compiles.
int broken(void **args);

/// A function whose blocks share more memory than any device has.
int greedy(void **args);

} // namespace heed::test
