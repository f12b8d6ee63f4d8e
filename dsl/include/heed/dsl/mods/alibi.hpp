#pragma once
/// \file
/// alibi(): scores that fall with the distance, by a slope for each head (Press et al. 2021,
/// arXiv:2108.12409).

#include <heed/dsl/element.hpp>

#include <cstdint>

namespace heed {
namespace detail {

inline constexpr double log_of_2 = 0.693147180559945309417;

/// 2^-e with e = 8 (h + 1) / n in the first n heads, where n is the greatest power of two that is not above
/// the number of heads; the other heads take e = 4, 12, 20, … over n, which lie between those.
constexpr scalar alibi_slope(const index &h, std::int64_t heads) {
  std::int64_t power = 1;
  while (power * 2 <= heads)
    power *= 2;
  const scalar steps = power == heads ? (h + 1) * 2 : select(h < power, (h + 1) * 2, (h - power) * 2 + 1);
  return exp(steps * (-4 * log_of_2 / static_cast<double>(power)));
}

} // namespace detail

/// score - slope(h) · |q - k| with the paper's slopes for the number of heads that the scores have: 2^-8/n,
/// 2^-16/n, … for n heads, a power of two; for another number those of the next lower power, then every other
/// one of the next higher. For queries that do not begin at token 0, write shifted(alibi(), offset).
/// Errors: heads that are no number.
constexpr auto alibi(location where = {}) {
  return [where](value score, index, index h, index q, index k) -> scalar {
    detail::builder *const owner = score.owner();
    if (owner == nullptr)
      return {};
    const extent heads = owner->user_extent(owner->program.result.axes[1]);
    if (!heads.is_number()) {
      owner->fail(where, "alibi: the scores have ", heads,
                  " heads, a number is needed for the slopes; pass them as a tensor, alibi(slopes)");
      return {};
    }
    return score - detail::alibi_slope(h, heads.number()) * abs(q - k);
  };
}

/// The same with slopes from a tensor (heads). Errors: slopes of another kind.
constexpr auto alibi(const tensor &slopes, location where = {}) {
  if (slopes.owner() != nullptr && (slopes.rank() != 1 || !detail::is_floating(slopes.type())))
    slopes.owner()->fail(where, "alibi: slopes are a tensor ", slopes.shape(), " of ", slopes.type(),
                         ", floats of shape (heads) are needed");
  return [=](value score, index, index h, index q, index k) {
    return score - slopes(h, {}, {}, {}, {}, {}, where) * abs(q - k);
  };
}

} // namespace heed
