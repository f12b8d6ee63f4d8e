#pragma once
/// \file
/// and_masks, or_masks: one mask of several.

#include <heed/dsl/program.hpp>

namespace heed {

/// Visible where every mask shows: and_masks(causal(), sliding_window(255, 0)).
template <class first, class... others> constexpr auto and_masks(first mask, others... more) {
  return [=](index b, index h, index q, index k) -> scalar_operand {
    if constexpr (sizeof...(more) == 0)
      return mask(b, h, q, k);
    else
      return mask(b, h, q, k) && and_masks(more...)(b, h, q, k);
  };
}

/// Visible where one of the masks shows.
template <class first, class... others> constexpr auto or_masks(first mask, others... more) {
  return [=](index b, index h, index q, index k) -> scalar_operand {
    if constexpr (sizeof...(more) == 0)
      return mask(b, h, q, k);
    else
      return mask(b, h, q, k) || or_masks(more...)(b, h, q, k);
  };
}

} // namespace heed
