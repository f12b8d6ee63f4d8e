#pragma once
/// \file
/// and_masks, or_masks, not_mask: one mask of others.

#include <heed/dsl/program.hpp>

namespace heed {
namespace detail {

/// Whether a mask's result is the same everywhere; operators need a scalar on one side at least.
constexpr bool is_constant(const scalar_operand &shown) {
  return shown.is == scalar_operand::kind::number && shown.type == spec::scalar_type::truth;
}

/// a && b for decisive = false, a || b for true.
constexpr scalar_operand joined(const scalar_operand &a, const scalar_operand &b, bool decisive) {
  if (is_constant(a))
    return (a.number != 0) == decisive ? a : b;
  if (is_constant(b))
    return (b.number != 0) == decisive ? b : a;
  return decisive ? a || b : a && b;
}

/// The masks joined from the left.
template <bool decisive, class... masks> constexpr auto join(masks... each) {
  return [=](index b, index h, index q, index k) {
    scalar_operand shown = !decisive;
    ((shown = joined(shown, each(b, h, q, k), decisive)), ...);
    return shown;
  };
}

} // namespace detail

/// Visible where every mask shows: and_masks(causal(), sliding_window(255, 0)).
template <class first, class... others> constexpr auto and_masks(first mask, others... more) {
  return detail::join<false>(mask, more...);
}

/// Visible where one of the masks shows.
template <class first, class... others> constexpr auto or_masks(first mask, others... more) {
  return detail::join<true>(mask, more...);
}

/// Visible where the mask hides.
template <class function> constexpr auto not_mask(function mask) {
  return [=](index b, index h, index q, index k) {
    const scalar_operand shown = mask(b, h, q, k);
    return detail::is_constant(shown) ? scalar_operand(shown.number == 0) : scalar_operand(!shown);
  };
}

} // namespace heed
