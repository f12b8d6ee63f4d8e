#pragma once
/// \file
/// How operations take an axis. Only the DSL's own headers use it.

#include <heed/dsl/tensor.hpp>

namespace heed::detail {

/// The axis counted from the left; axes count from the right as -1, -2, …. -1 after a fault.
constexpr int axis_from_left(builder *owner, const char *word, const tensor &x, int axis, location where) {
  const int from_left = axis < 0 ? axis + x.rank() : axis;
  if (from_left >= 0 && from_left < x.rank())
    return from_left;
  owner->fail(where, word, ": the axis is ", axis, ", x is ", x.shape(), ", one of its axes is needed");
  return -1;
}

/// Appends an operation on one axis of x.
constexpr tensor make_on_axis(builder *owner, spec::op kind, const shape &result, const tensor &x, int axis,
                              location where, std::int16_t start = -1) {
  spec::node node;
  node.kind = kind;
  node.type = x.type();
  node.axis = static_cast<std::int8_t>(axis);
  node.start = start;
  node.operands[node.operand_count++] = x.node();
  return {owner, owner->add(node, result, where)};
}

} // namespace heed::detail
