#pragma once
/// \file
/// A value of the graph, and how operations take it.

#include <heed/dsl/builder.hpp>
#include <heed/dsl/scalar.hpp>

#include <initializer_list>
#include <type_traits>

namespace heed {

/// A handle of one value of a graph: copy it, pass it to functions and return it from them, keep it in
/// arrays. A default-made tensor is empty until something is assigned to it.
class tensor {
public:
  constexpr tensor() = default;
  constexpr tensor(detail::builder *owner, std::int16_t node)
      : owner_(node < 0 ? nullptr : owner), node_(node) {}

  /// Element type, number of axes, and extent of an axis; axes count from the left, or from the right as -1,
  /// -2, …. Of an empty tensor: f32, 0 and 1; of an axis that does not exist: 1.
  constexpr dtype type() const { return owner_ == nullptr ? dtype::f32 : data().type; }
  constexpr int rank() const { return owner_ == nullptr ? 0 : data().rank; }
  constexpr extent size(int axis, location where = {}) const {
    if (owner_ == nullptr)
      return 1;
    const int rank = data().rank, from_left = axis < 0 ? axis + rank : axis;
    if (from_left < 0 || from_left >= rank) {
      owner_->fail(where, "size: the axis is ", axis, ", the tensor has shape ", shape());
      return 1;
    }
    return owner_->user_extent(data().shape[from_left]);
  }

  /// Inside a program: the element at these indices, one for each axis. `table[h]` for one axis, `number()`
  /// for a scalar argument.
  constexpr scalar operator()(scalar_operand i0 = {}, scalar_operand i1 = {}, scalar_operand i2 = {},
                              scalar_operand i3 = {}, scalar_operand i4 = {}, scalar_operand i5 = {},
                              location where = {}) const;
  constexpr scalar operator[](scalar_operand index) const;

  constexpr detail::builder *owner() const { return owner_; }
  constexpr std::int16_t node() const { return node_; }
  constexpr const spec::node &data() const { return owner_->nodes[node_]; }
  constexpr detail::shape shape() const { return detail::shape_of(data()); }

private:
  detail::builder *owner_ = nullptr;
  std::int16_t node_ = -1;
};

namespace detail {

template <class type>
concept arithmetic = std::is_arithmetic_v<type>;

/// What an operator of tensors takes: a tensor or a number, and the line where it was written.
struct operand {
  tensor value;
  double number = 0;
  bool is_number = false;
  location where;

  constexpr operand(const tensor &from, location at = {}) : value(from), where(at) {}
  template <arithmetic type>
  constexpr operand(type from, location at = {})
      : number(static_cast<double>(from)), is_number(true), where(at) {}
};

/// Says that operands are empty or come from different graphs, to every graph that is there: only one of them
/// is the kernel's, and it is not known here which.
constexpr builder *refuse(const char *word, location where, std::initializer_list<tensor> operands) {
  bool any_empty = false;
  for (const tensor &operand : operands)
    any_empty |= operand.owner() == nullptr;
  for (const tensor &operand : operands)
    if (operand.owner() != nullptr)
      operand.owner()->fail(
          where, word,
          any_empty ? ": an operand is an empty tensor, one that an operation has made is needed"
                    : ": the operands belong to different graphs, all must be of the graph of the kernel");
  return nullptr;
}

/// The graph that an operation on these tensors belongs to; null when there is nothing to do, because a fault
/// was found before or now.
constexpr builder *begin(const char *word, location where, std::initializer_list<tensor> operands) {
  builder *owner = operands.begin()->owner();
  for (const tensor &operand : operands)
    if (operand.owner() != owner || owner == nullptr)
      return refuse(word, where, operands);
  return owner->failed() ? nullptr : owner;
}

/// Appends an operation.
constexpr tensor make(builder *owner, spec::op kind, dtype type, const shape &shape,
                      std::initializer_list<tensor> operands, location where) {
  spec::node node;
  node.kind = kind;
  node.type = type;
  for (const tensor &operand : operands)
    node.operands[node.operand_count++] = operand.node();
  return {owner, owner->add(node, shape, where)};
}

constexpr tensor make_constant(builder *owner, double number, dtype type, location where) {
  spec::node node;
  node.kind = spec::op::constant;
  node.type = type;
  node.value = number;
  return {owner, owner->add(node, {}, where)};
}

} // namespace detail
} // namespace heed
