#pragma once
/// \file
/// dropout(x, p, seed): elements at random become zero.

#include <heed/dsl/ops/elementwise.hpp>

namespace heed {
namespace detail {

/// The probability as a tensor of rank 0; an empty one after a fault.
constexpr tensor probability(builder *owner, const operand &p, dtype type, location where) {
  if (p.is_number && !(p.number >= 0 && p.number <= 1))
    owner->fail(where, "dropout: p is ", p.number, ", a probability from 0 to 1 is needed");
  else if (!p.is_number &&
           (p.value.rank() != 0 || (p.value.type() != dtype::f32 && p.value.type() != dtype::f64)))
    owner->fail(where, "dropout: p is a tensor ", p.value.shape(), " of ", p.value.type(),
                ", a number or a scalar of f32 or f64 is needed; write g.scalar(name, f32)");
  if (owner->failed())
    return {};
  return p.is_number ? make_constant(owner, p.number, type == dtype::f64 ? type : dtype::f32, where)
                     : p.value;
}

} // namespace detail

/// y = x / (1 - p) where the element's random number in [0, 1) is at least p, else 0. The numbers come from
/// Philox 4x32-10 with the seed as key and (row-major index of the element, site) as counter, where sites
/// count the dropouts of a kernel from 0: they depend on nothing else. p = 0 changes nothing. The shape
/// stays. `p` is a number or a scalar of f32 or f64, `seed` a scalar of i64: dropout(weights, g.scalar("p",
/// f32), g.scalar("seed", i64)). Errors: x of no floating type; p or seed of another kind; a number p that is
/// no probability.
constexpr tensor dropout(const tensor &x, detail::operand p, const tensor &seed, location where = {}) {
  detail::builder *const owner = detail::begin("dropout", where, {x, p.is_number ? x : p.value, seed});
  if (owner == nullptr || !detail::accepts(owner, detail::type_rule::floating, "dropout", x.type(), where))
    return {};
  if (seed.rank() != 0 || seed.type() != dtype::i64)
    owner->fail(where, "dropout: the seed is a tensor ", seed.shape(), " of ", seed.type(),
                ", a scalar of i64 is needed; write g.scalar(name, i64)");
  const tensor chance = detail::probability(owner, p, x.type(), where);
  if (owner->failed())
    return {};
  spec::node node;
  node.kind = spec::op::dropout;
  node.type = x.type();
  node.site = owner->dropout_count++;
  for (const tensor &operand : {x, chance, seed})
    node.operands[node.operand_count++] = operand.node();
  return {owner, owner->add(node, x.shape(), where)};
}

} // namespace heed
