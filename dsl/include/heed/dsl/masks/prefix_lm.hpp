#pragma once
/// \file
/// prefix_lm(prefix): bidirectional in the prefix, causal after it (T5, Raffel et al. 2020, arXiv:1910.10683,
/// section 3.2.1).

#include <heed/dsl/masks/captured.hpp>

namespace heed {

/// Visible where k <= q or k < prefix: every query sees the whole prefix. The prefix is a number, an extent,
/// a scalar argument or a tensor (batch). Errors: a tensor of another kind.
constexpr auto prefix_lm(detail::batch_number prefix) {
  prefix = prefix.checked("prefix_lm: prefix");
  return [=](index b, index, index q, index k) { return k <= q || k < prefix.at(b); };
}

} // namespace heed
