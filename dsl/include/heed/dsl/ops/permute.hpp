#pragma once
/// \file
/// permute(x, {…}): axes in another order.

#include <heed/dsl/tensor.hpp>

#include <initializer_list>

namespace heed {

/// Axis i of the result is axis order[i] of x: permute(x, {0, 2, 1, 3}) turns (b, s, h, d) into (b, h, s, d).
/// Errors: not every axis named exactly once.
constexpr tensor permute(const tensor &x, std::initializer_list<int> order, location where = {}) {
  detail::builder *const owner = detail::begin("permute", where, {x});
  if (owner == nullptr)
    return {};
  const detail::shape from = x.shape();
  detail::shape result;
  spec::node node;
  node.kind = spec::op::permute;
  node.type = x.type();
  node.operands[node.operand_count++] = x.node();
  unsigned seen = 0;
  bool fits = static_cast<int>(order.size()) == from.rank;
  for (int axis : order) {
    fits = fits && axis >= 0 && axis < from.rank && (seen >> axis & 1) == 0;
    if (!fits)
      break;
    seen |= 1u << axis;
    node.permutation[result.rank] = static_cast<std::int8_t>(axis);
    result.push(from.axes[axis]);
  }
  if (!fits) {
    owner->fail(where, "permute: x is ", from, ", an order that names each of the axes 0 to ", from.rank - 1,
                " once is needed");
    return {};
  }
  return {owner, owner->add(node, result, where)};
}

} // namespace heed
