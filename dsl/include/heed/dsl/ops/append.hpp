#pragma once
/// \file
/// append(state, rows, position, axis): new rows of a cache, written where the cache lies.

#include <heed/dsl/ops/axis.hpp>
#include <heed/dsl/ops/convert.hpp>

namespace heed {
namespace detail {

constexpr bool check_append(builder *owner, const tensor &state, const tensor &rows, const tensor &position,
                            int along, int axis, location where) {
  const shape cache = state.shape(), added = rows.shape();
  bool fits = cache.rank == added.rank;
  for (int i = 0; fits && i < cache.rank; ++i)
    fits = i == along || cache.axes[i] == added.axes[i];
  if (!fits)
    owner->fail(where, "append: the state is ", cache, ", rows are ", added,
                ", shapes that differ only on axis ", axis, " are needed");
  else if (owner->is_number(cache.axes[along]) && owner->is_number(added.axes[along]) &&
           owner->extents[cache.axes[along]].numerator < owner->extents[added.axes[along]].numerator)
    owner->fail(where, "append: the state is ", cache, ", rows are ", added,
                ", a state that is at least as long is needed");
  else if (state.type() != rows.type() && !mixes(state.type(), rows.type()))
    owner->fail(where, "append: the state is ", state.type(), ", rows are ", rows.type(),
                ", one element type is needed");
  else if (position.data().kind != spec::op::scalar || !is_integer(position.type()))
    owner->fail(where, "append: the position is ",
                position.data().kind == spec::op::scalar ? "a scalar" : "computed, not a scalar", " of ",
                position.type(), ", a scalar of i32 or i64 is needed; write g.scalar(name, i64)");
  return !owner->failed();
}

} // namespace detail

/// y = state, but y[…, position + i, …] = rows[…, i, …] along the axis. This is also what the call leaves in
/// the state's memory; nothing but the rows is written. state (…, capacity, …) of g.state, rows (…, n, …),
/// position a scalar of i32 or i64 -> (…, capacity, …). A call checks 0 <= position <= capacity - n. Elements
/// from position + n on are what the caller left there: hide them, as with mask = causal_from(position).
/// Every state is appended to once, and only read through the result. Rows of f16, bf16 and f32 are converted
/// to the type of the state. Errors: a first operand that is no state, or has been appended to; shapes that
/// differ elsewhere; types that do not mix; a position that is no scalar argument of integers; an axis that
/// does not exist.
constexpr tensor append(const tensor &state, const tensor &rows, const tensor &position, int axis,
                        location where = {}) {
  detail::builder *const owner = detail::begin("append", where, {state, rows, position});
  if (owner == nullptr)
    return {};
  if (state.data().kind != spec::op::state)
    owner->fail(
        where, "append: the first operand, ", state.shape(), " of ", state.type(),
        ", is no state, one is needed; write g.state(name, type, {extents}), or concat(a, b, axis) for "
        "tensors");
  if (owner->failed())
    return {};
  const int along = detail::axis_from_left(owner, "append", state, axis, where);
  if (along < 0 || !detail::check_append(owner, state, rows, position, along, axis, where))
    return {};
  spec::node node;
  node.kind = spec::op::append;
  node.type = state.type();
  node.axis = static_cast<std::int8_t>(along);
  for (const tensor &operand : {state, detail::converted(rows, state.type(), where), position})
    node.operands[node.operand_count++] = operand.node();
  return {owner, owner->add(node, state.shape(), where)};
}

} // namespace heed
