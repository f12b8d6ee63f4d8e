#pragma once
/// \file
/// mask(scores, keep): scores that a condition on their indices hides.

#include <heed/dsl/program_node.hpp>

#include <type_traits>

namespace heed {
namespace detail {

template <class function>
concept mask_program =
    std::is_invocable_v<const function &, index, index, index, index> &&
    std::is_convertible_v<std::invoke_result_t<const function &, index, index, index, index>, scalar_operand>;

} // namespace detail

/// y[b, h, q, k] = keep(b, h, q, k) ? scores[b, h, q, k] : -infinity. The shape stays, (b, h, q, k).
/// `keep` is a lambda over four `index`es that returns a condition: [](index b, index h, index q, index k) {
/// return k <= q; }. It may use numbers, extents and elements of other tensors, see program.hpp.
/// Errors: scores that do not have four axes of a floating type; a result that is no condition.
template <class function>
constexpr tensor mask(const tensor &scores, const function &keep, location where = {}) {
  detail::builder *const owner = detail::open_on_scores("mask", scores, where);
  if (owner == nullptr)
    return {};
  if constexpr (!detail::mask_program<function>) {
    owner->fail(where,
                "mask: the second argument is no mask function, one of (index b, index h, index q, index "
                "k) that returns a condition is needed");
  } else {
    const detail::score_positions at = detail::positions_of_scores(owner, where);
    const scalar kept = detail::materialize(owner, keep(at.b, at.h, at.q, at.k), "mask");
    if (!owner->failed() && kept.type() != spec::scalar_type::truth)
      owner->fail(where, "mask: the function returns ", detail::scalar_type_name(kept.type()),
                  ", a condition is needed; compare it with a number");
    if (!owner->failed())
      return detail::close(owner, spec::op::mask, scores.type(), kept, where);
  }
  return {};
}

} // namespace heed
