#pragma once
/// \file
/// The checks of arguments that need no sizes of other arguments, and of how their memory lies.

#include "heed/abi.h"

namespace heed::runtime {

/// Type, rank, address and strides of every argument. Afterwards each view's memory range fits the address
/// space, and `some_are_empty` tells whether any has an extent of zero.
heed_code check_arguments(const heed_program &program, const heed_view *views, bool &some_are_empty,
                          heed_status *status) noexcept;

/// No output may share memory with another argument. Whole ranges are compared, from the first element to the
/// last.
heed_code check_overlap(const heed_program &program, const heed_view *views, heed_status *status) noexcept;

/// Whether a view has an extent of zero.
bool is_empty(const heed_view &view) noexcept;

} // namespace heed::runtime
