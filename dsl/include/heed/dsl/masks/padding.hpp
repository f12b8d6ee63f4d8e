#pragma once
/// \file
/// padding(lengths): sequences of different lengths in one batch.

#include <heed/dsl/masks/captured.hpp>

namespace heed {

/// Visible where k < lengths[b]: keys from the length of their batch entry on are padding. The lengths are a
/// tensor (batch), or one number, extent or scalar argument for all. Errors: a tensor of another kind.
constexpr auto padding(detail::batch_number lengths) {
  lengths = lengths.checked("padding: lengths");
  return [=](index b, index, index, index k) { return k < lengths.at(b); };
}

} // namespace heed
