#pragma once
/// \file
/// < <= > >= == != of tensors, element by element; the result is b8. Shapes and types as in arithmetic.hpp.

#include <heed/dsl/ops/elementwise.hpp>

namespace heed {

constexpr tensor operator<(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::less, detail::type_rule::comparison, "operator <", left, right);
}

constexpr tensor operator<=(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::less_equal, detail::type_rule::comparison, "operator <=", left, right);
}

constexpr tensor operator>(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::greater, detail::type_rule::comparison, "operator >", left, right);
}

constexpr tensor operator>=(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::greater_equal, detail::type_rule::comparison, "operator >=", left, right);
}

constexpr tensor operator==(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::equal, detail::type_rule::comparison, "operator ==", left, right);
}

constexpr tensor operator!=(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::not_equal, detail::type_rule::comparison, "operator !=", left, right);
}

} // namespace heed
