#pragma once
/// \file
/// compose(first, second, …): one score function of several.

#include <heed/dsl/program.hpp>

namespace heed {

/// Applies the functions from left to right: compose(alibi(), softcap(30)) caps what alibi has made.
template <class first, class... others> constexpr auto compose(first change, others... more) {
  return [=](value score, index b, index h, index q, index k) -> scalar {
    const value changed = change(score, b, h, q, k);
    if constexpr (sizeof...(more) == 0)
      return changed;
    else
      return compose(more...)(changed, b, h, q, k);
  };
}

} // namespace heed
