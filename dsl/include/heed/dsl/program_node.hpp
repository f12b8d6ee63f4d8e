#pragma once
/// \file
/// How an operation writes its program: opens it, makes its parameters, closes it with the result. Only the
/// DSL's own headers use it.

#include <heed/dsl/element.hpp>

namespace heed::detail {

/// Opens a program whose positions run along the axes of `result`; null after a fault.
constexpr builder *open(builder *owner, const char *word, const shape &result, location where) {
  if (owner->program.word != nullptr)
    owner->fail(where, word, ": it is called inside another program; call it on the result instead");
  if (owner->failed())
    return nullptr;
  owner->program = {};
  owner->program.word = word;
  owner->program.first = static_cast<std::int16_t>(owner->instructions.size());
  owner->program.result = result;
  return owner;
}

/// Checks the scores and opens a program on them, of which they are operand 0; null after a fault.
constexpr builder *open_on_scores(const char *word, const tensor &scores, location where) {
  builder *const owner = begin(word, where, {scores});
  if (owner == nullptr)
    return nullptr;
  if (scores.rank() != 4)
    owner->fail(where, word, ": scores are ", scores.shape(),
                ", four axes (batch, heads, queries, keys) are needed");
  else if (!is_floating(scores.type()))
    owner->fail(where, word, ": the element type of the scores is ", scores.type(),
                ", a floating type is needed");
  if (owner->failed() || open(owner, word, scores.shape(), where) == nullptr)
    return nullptr;
  owner->program.operands[owner->program.operand_count++] = scores.node();
  owner->program.own_operands = 1;
  return owner;
}

constexpr scalar parameter(builder *owner, scalar_op kind, scalar_type type, location where, int axis = -1) {
  spec::instruction made;
  made.kind = kind;
  made.type = type;
  made.reference = static_cast<std::int16_t>(axis);
  return add_instruction(owner, made, where);
}

/// The position along one axis of the result.
constexpr index position(builder *owner, int axis, location where) {
  return parameter(owner, scalar_op::position, scalar_type::integer, where, axis);
}

/// The four positions with which every program on scores begins.
struct score_positions {
  index b, h, q, k;
};

constexpr score_positions positions_of_scores(builder *owner, location where) {
  return {position(owner, 0, where), position(owner, 1, where), position(owner, 2, where),
          position(owner, 3, where)};
}

/// Closes the program with its result and appends the node.
constexpr tensor close(builder *owner, spec::op kind, dtype type, const scalar &result, location where) {
  spec::node node;
  node.kind = kind;
  node.type = type;
  node.program = result.id();
  for (int i = 0; i < owner->program.operand_count; ++i)
    node.operands[node.operand_count++] = owner->program.operands[i];
  owner->program.word = nullptr;
  return {owner, owner->add(node, owner->program.result, where)};
}

} // namespace heed::detail
