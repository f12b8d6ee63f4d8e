#pragma once
/// \file
/// && || ! of tensors, element by element, of any type: nonzero is true. The result is b8; shapes broadcast.

#include <heed/dsl/ops/elementwise.hpp>

namespace heed {

constexpr tensor operator&&(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::logical_and, detail::type_rule::logical, "operator &&", left, right);
}

constexpr tensor operator||(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::logical_or, detail::type_rule::logical, "operator ||", left, right);
}

constexpr tensor operator!(detail::operand x) {
  return detail::unary(spec::op::logical_not, detail::type_rule::logical, "operator !", x.value, x.where);
}

} // namespace heed
