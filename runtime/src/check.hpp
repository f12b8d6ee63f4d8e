#pragma once
/// \file
/// The checks of single arguments, of scalars that say where rows go, and of how the memory of all lies.

#include "checked.hpp"
#include "heed/abi.h"

#include <cstdint>
#include <string_view>

namespace heed::runtime {

/// Type, rank, address and strides of every argument. Afterwards each view's memory range fits the address
/// space, and `some_are_empty` tells whether any has an extent of zero.
heed_code check_arguments(const heed_program &program, const heed_view *views, bool &some_are_empty,
                          heed_status *status) noexcept;

/// Every heed_bound, with the values of all extents.
heed_code check_bounds(const heed_program &program, const heed_view *views, const std::int64_t *extents,
                       heed_status *status) noexcept;

/// No output or state may share memory with another argument. Whole ranges are compared, from the first
/// element to the last.
heed_code check_overlap(const heed_program &program, const heed_view *views, heed_status *status) noexcept;

/// The same where some views are on a device, whose memory is known by its address or else by a handle.
heed_code check_overlap_on_device(const heed_program &program, const heed_view *views, bool has_addresses,
                                  heed_status *status) noexcept;

/// Whether the call writes an argument.
inline bool is_written(const heed_argument &argument) noexcept {
  return argument.role == HEED_OUTPUT || argument.role == HEED_STATE;
}

/// What to call an argument that the call writes.
std::string_view role_name(const heed_argument &argument) noexcept;

/// Whether a view has an extent of zero.
inline bool is_empty(const heed_view &view) noexcept {
  for (int axis = 0; axis < view.rank; ++axis)
    if (view.extents[axis] == 0)
      return true;
  return false;
}

/// Distance from the first to the last element, for a view that is not empty.
inline std::int64_t span(const heed_view &view) noexcept {
  std::int64_t last = 0;
  for (int axis = 0; axis < view.rank; ++axis)
    if (view.extents[axis] > 1)
      last = add(last, multiply(view.extents[axis] - 1, view.strides[axis]));
  return last;
}

} // namespace heed::runtime
