#pragma once
/// \file
/// Elements of tensors in programs: `slope[h]`, `bias(h, q - k + 7)`, `offset()`.

#include <heed/dsl/program.hpp>
#include <heed/dsl/tensor.hpp>

namespace heed {
namespace detail {

/// The operand number under which the open program's node reads a tensor, -1 after a fault.
constexpr int capture(builder *owner, std::int16_t node, location where) {
  open_program &program = owner->program;
  for (int i = program.own_operands; i < program.operand_count; ++i)
    if (program.operands[i] == node)
      return i;
  if (program.operand_count == spec::max_operands) {
    owner->fail(where, program.word, ": it reads more than ", spec::max_operands - program.own_operands,
                " tensors; split it into several");
    return -1;
  }
  program.operands[program.operand_count] = node;
  return program.operand_count++;
}

/// An index that runs along a whole axis of the result and leaves the table is a mistake, although it would
/// be clamped; it is known of numbers.
constexpr void check_range(builder *owner, const scalar &index, std::int16_t table_axis, location where) {
  const spec::instruction &made = owner->instructions[index.id()];
  if (made.kind != scalar_op::position)
    return;
  const std::int16_t axis = owner->program.result.axes[made.reference];
  if (owner->is_number(axis) && owner->is_number(table_axis) &&
      owner->extents[table_axis].numerator < owner->extents[axis].numerator)
    owner->fail(where, "element: an index runs over ", owner->user_extent(axis),
                ", the axis of the tensor has ", owner->user_extent(table_axis),
                ", at least as many are needed");
}

constexpr scalar_type element_type(dtype type) {
  return type == dtype::b8 ? scalar_type::truth : is_integer(type) ? scalar_type::integer : scalar_type::real;
}

} // namespace detail

/// table(i, j, …): the element of `table` at integer indices, one for each axis and none for a scalar.
/// Indices are any integers: each is clamped into its axis. The type is a condition for b8, an integer for
/// i32 and i64, else a real. Errors: outside a program; another number of indices than axes; an index that is
/// no integer; a position that leaves the table; more tensors than a program can read.
constexpr scalar tensor::operator()(scalar_operand i0, scalar_operand i1, scalar_operand i2,
                                    scalar_operand i3, scalar_operand i4, scalar_operand i5,
                                    location where) const {
  if (owner_ == nullptr || owner_->failed())
    return {};
  if (owner_->program.word == nullptr) {
    owner_->fail(where, "element: elements of a tensor exist only inside mask, score_mod and tabulate");
    return {};
  }
  spec::instruction made;
  made.kind = spec::scalar_op::element;
  made.type = detail::element_type(type());
  const scalar_operand *const indices[] = {&i0, &i1, &i2, &i3, &i4, &i5};
  for (const scalar_operand *index : indices) {
    if (index->is == scalar_operand::kind::absent)
      break;
    const scalar at = detail::materialize(owner_, *index, "element");
    if (owner_->failed())
      return {};
    if (at.type() != spec::scalar_type::integer)
      owner_->fail(where, "element: an index is ", detail::scalar_type_name(at.type()),
                   ", an integer is needed");
    if (made.operand_count < rank())
      detail::check_range(owner_, at, data().shape[made.operand_count], where);
    made.operands[made.operand_count++] = at.id();
  }
  if (made.operand_count != rank())
    owner_->fail(where, "element: ", made.operand_count, " indices for a tensor of shape ", shape(),
                 ", one for each axis is needed");
  if (owner_->failed())
    return {};
  made.reference = static_cast<std::int16_t>(detail::capture(owner_, node_, where));
  return owner_->failed() ? scalar() : detail::add_instruction(owner_, made, where);
}

constexpr scalar tensor::operator[](scalar_operand index) const {
  return (*this)(index, {}, {}, {}, {}, {}, index.where);
}

} // namespace heed
