#pragma once
/// \file
/// softcap(cap): scores that stay within a bound (Gemma 2, 2024, arXiv:2408.00118, section 2).

#include <heed/dsl/program.hpp>

namespace heed {

/// cap · tanh(score / cap): about the score where it is small, never beyond ±cap. Before a mask it caps what
/// is visible; after one it would make -infinity the visible score -cap.
constexpr auto softcap(double cap) {
  return [cap](value score, index, index, index, index) { return cap * tanh(score / cap); };
}

} // namespace heed
