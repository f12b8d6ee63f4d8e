#pragma once
/// \file
/// Elements of captured tensors in the programs of mask and score_mod: `slope[h]`, `bias(h, q, k)`.

#include <heed/dsl/program.hpp>
#include <heed/dsl/tensor.hpp>

namespace heed {
namespace detail {

/// The operand number under which the open program's node reads a tensor, -1 after a fault.
constexpr int capture(builder *owner, std::int16_t node, location where) {
  for (int i = 1; i < owner->captured_count; ++i)
    if (owner->captured[i] == node)
      return i;
  if (owner->captured_count == spec::max_operands) {
    owner->fail(where, "mask or score_mod: it reads more than ", spec::max_operands - 1,
                " tensors; split it into several");
    return -1;
  }
  owner->captured[owner->captured_count] = node;
  return owner->captured_count++;
}

/// An index that runs along a whole axis of the scores must not leave the table; that is known of numbers.
constexpr void check_range(builder *owner, const scalar &index, std::int16_t table_axis, location where) {
  const scalar_op kind = owner->instructions[index.id()].kind;
  if (kind != scalar_op::position)
    return;
  const std::int16_t axis = owner->nodes[owner->captured[0]].shape[owner->instructions[index.id()].reference];
  if (owner->is_number(axis) && owner->is_number(table_axis) &&
      owner->extents[table_axis].numerator < owner->extents[axis].numerator)
    owner->fail(where, "element: an index runs over ", owner->user_extent(axis),
                ", the axis of the tensor has ", owner->user_extent(table_axis),
                ", at least as many are needed");
}

} // namespace detail

/// table(i, j, …): the element of `table` at integer indices, one for each axis. The type is a condition for
/// b8, an integer for i32 and i64, else a real. Indices must lie within the table wherever the scores do.
/// Errors: outside a program; as many indices as axes; integers; an index that leaves the table; at most 7
/// tensors in a program.
constexpr scalar tensor::operator()(scalar_operand i0, scalar_operand i1, scalar_operand i2,
                                    scalar_operand i3, scalar_operand i4, scalar_operand i5) const {
  if (owner_ == nullptr || owner_->failed())
    return {};
  const scalar_operand indices[] = {i0, i1, i2, i3, i4, i5};
  spec::instruction made;
  made.kind = spec::scalar_op::element;
  made.type = type() == dtype::b8          ? spec::scalar_type::truth
              : detail::is_integer(type()) ? spec::scalar_type::integer
                                           : spec::scalar_type::real;
  if (owner_->program_start < 0) {
    owner_->fail(i0.where, "element: elements of a tensor exist only inside mask and score_mod");
    return {};
  }
  for (const scalar_operand &index : indices) {
    if (index.is == scalar_operand::kind::absent)
      break;
    const scalar at = detail::materialize(owner_, index, "element");
    if (owner_->failed())
      return {};
    if (at.type() != spec::scalar_type::integer)
      owner_->fail(index.where, "element: an index is ", detail::scalar_type_name(at.type()),
                   ", an integer is needed");
    if (made.operand_count < rank())
      detail::check_range(owner_, at, data().shape[made.operand_count], index.where);
    made.operands[made.operand_count++] = at.id();
  }
  if (made.operand_count != rank())
    owner_->fail(i0.where, "element: ", made.operand_count, " indices for a tensor of shape ", shape(),
                 ", one for each axis is needed");
  if (owner_->failed())
    return {};
  made.reference = static_cast<std::int16_t>(detail::capture(owner_, node_, i0.where));
  return owner_->failed() ? scalar() : detail::add_instruction(owner_, made, i0.where);
}

constexpr scalar tensor::operator[](scalar_operand index) const { return (*this)(index); }

} // namespace heed
