#pragma once
/// \file
/// mask(scores, keep): scores that a condition on their indices hides.

#include <heed/dsl/element.hpp>

#include <type_traits>

namespace heed {
namespace detail {

/// The four index instructions with which every program begins.
struct program_indices {
  index b, h, q, k;
};

/// Checks the scores and opens a program on them; null after a fault.
constexpr builder *begin_program(const char *word, const tensor &scores, location where) {
  builder *const owner = begin(word, where, {scores});
  if (owner == nullptr)
    return nullptr;
  if (scores.rank() != 4)
    owner->fail(where, word, ": scores are ", scores.shape(),
                ", four axes (batch, heads, queries, keys) are needed");
  else if (!is_floating(scores.type()))
    owner->fail(where, word, ": the element type of the scores is ", scores.type(),
                ", a floating type is needed");
  else if (owner->program_start >= 0)
    owner->fail(where, word, ": it is called inside another program; call it on the result instead");
  if (owner->failed())
    return nullptr;
  owner->program_start = static_cast<std::int16_t>(owner->instructions.size());
  owner->captured_count = 1;
  owner->captured[0] = scores.node();
  return owner;
}

constexpr scalar parameter(builder *owner, scalar_op kind, scalar_type type, location where, int axis = -1) {
  spec::instruction made;
  made.kind = kind;
  made.type = type;
  made.reference = static_cast<std::int16_t>(axis);
  return add_instruction(owner, made, where);
}

constexpr program_indices index_parameters(builder *owner, location where) {
  return {parameter(owner, scalar_op::position, scalar_type::integer, where, 0),
          parameter(owner, scalar_op::position, scalar_type::integer, where, 1),
          parameter(owner, scalar_op::position, scalar_type::integer, where, 2),
          parameter(owner, scalar_op::position, scalar_type::integer, where, 3)};
}

/// Closes the program with its result and appends the node.
constexpr tensor end_program(builder *owner, spec::op kind, const tensor &scores, const scalar &result,
                             location where) {
  spec::node node;
  node.kind = kind;
  node.type = scores.type();
  node.program = result.id();
  for (int i = 0; i < owner->captured_count; ++i)
    node.operands[node.operand_count++] = owner->captured[i];
  owner->program_start = -1;
  return {owner, owner->add(node, scores.shape(), where)};
}

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
  detail::builder *const owner = detail::begin_program("mask", scores, where);
  if (owner == nullptr)
    return {};
  if constexpr (!detail::mask_program<function>) {
    owner->fail(where,
                "mask: the second argument is no mask function, one of (index b, index h, index q, index "
                "k) that returns a condition is needed");
  } else {
    const detail::program_indices at = detail::index_parameters(owner, where);
    const scalar kept = detail::materialize(owner, keep(at.b, at.h, at.q, at.k), "mask");
    if (!owner->failed() && kept.type() != spec::scalar_type::truth)
      owner->fail(where, "mask: the function returns ", detail::scalar_type_name(kept.type()),
                  ", a condition is needed; compare it with a number");
    if (!owner->failed())
      return detail::end_program(owner, spec::op::mask, scores, kept, where);
  }
  return {};
}

} // namespace heed
