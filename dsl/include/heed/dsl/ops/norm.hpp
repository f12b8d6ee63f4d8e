#pragma once
/// \file
/// What layer_norm and rms_norm share.

#include <heed/dsl/number.hpp>
#include <heed/dsl/tensor.hpp>

namespace heed::detail {

constexpr void check_parameter(builder *owner, const char *word, const char *name, const tensor &parameter,
                               const tensor &x, location where) {
  if (parameter.rank() != 1 || parameter.data().shape[0] != x.data().shape[x.rank() - 1])
    owner->fail(where, word, ": the ", name, " is ", parameter.shape(), ", x is ", x.shape(), ", a ", name,
                " of shape (", x.size(-1), ") is needed");
  else if (!mixes(parameter.type(), x.type()))
    owner->fail(where, word, ": x is ", x.type(), ", the ", name, " is ", parameter.type(),
                ", one floating type is needed");
}

/// Appends a norm of x with its parameters, gain and bias.
constexpr tensor norm(spec::op kind, const char *word, std::initializer_list<tensor> operands, double epsilon,
                      location where) {
  builder *const owner = begin(word, where, operands);
  if (owner == nullptr)
    return {};
  const tensor x = *operands.begin();
  if (x.rank() < 1)
    owner->fail(where, word, ": x is a number, at least one axis is needed");
  else if (!is_floating(x.type()))
    owner->fail(where, word, ": the element type is ", x.type(), ", a floating type is needed");
  else if (!(epsilon >= 0 && epsilon < infinity))
    owner->fail(where, word, ": epsilon is ", epsilon, ", a number of at least 0 is needed");
  spec::node node;
  node.kind = kind;
  node.type = x.type();
  node.value = epsilon;
  for (const tensor &operand : operands) {
    if (node.operand_count > 0 && !owner->failed())
      check_parameter(owner, word, node.operand_count == 1 ? "gain" : "bias", operand, x, where);
    node.operands[node.operand_count++] = operand.node();
  }
  return owner->failed() ? tensor() : tensor(owner, owner->add(node, x.shape(), where));
}

} // namespace heed::detail
