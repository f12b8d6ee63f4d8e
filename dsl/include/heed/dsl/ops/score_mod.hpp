#pragma once
/// \file
/// score_mod(scores, change): scores, or weights, that a formula of their value and indices replaces.

#include <heed/dsl/program_node.hpp>

#include <type_traits>

namespace heed {
namespace detail {

template <class function>
concept score_program =
    std::is_invocable_v<const function &, value, index, index, index, index> &&
    std::is_convertible_v<std::invoke_result_t<const function &, value, index, index, index, index>,
                          scalar_operand>;

} // namespace detail

/// y[b, h, q, k] = change(scores[b, h, q, k], b, h, q, k). The shape stays, (b, h, q, k).
/// Weights, which softmax has made of scores, change in the same way.
/// `change` is a lambda over a `value` and four `index`es that returns a real number:
/// [&](value s, index b, index h, index q, index k) { return s + slope[h] * (k - q); }, see program.hpp.
/// Errors: scores that do not have four axes of a floating type; a result that is no real number.
template <class function>
constexpr tensor score_mod(const tensor &scores, const function &change, location where = {}) {
  detail::builder *const owner = detail::open_on_scores("score_mod", scores, where);
  if (owner == nullptr)
    return {};
  if constexpr (!detail::score_program<function>) {
    owner->fail(where,
                "score_mod: the second argument is no score function, one of (value s, index b, index h, "
                "index q, index k) that returns a number is needed");
  } else {
    const detail::score_positions at = detail::positions_of_scores(owner, where);
    const value score = detail::parameter(owner, spec::scalar_op::score, spec::scalar_type::real, where);
    const scalar result = detail::materialize(owner, change(score, at.b, at.h, at.q, at.k), "score_mod");
    if (!owner->failed() && result.type() != spec::scalar_type::real)
      owner->fail(where, "score_mod: the function returns ", detail::scalar_type_name(result.type()),
                  ", a real number is needed");
    if (!owner->failed())
      return detail::close(owner, spec::op::score_mod, scores.type(), result, where);
  }
  return {};
}

} // namespace heed
