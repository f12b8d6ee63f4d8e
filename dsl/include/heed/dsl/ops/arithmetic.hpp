#pragma once
/// \file
/// + - * / and negation of tensors, element by element.
///
/// Shapes broadcast from the right: (b, h, q, k) + (q, 1) is (b, h, q, k). Both sides have one element type,
/// and a number takes its partner's; f16, bf16 and f32 mix: the result has the wider type, f32 of f16 and
/// bf16. Division needs floats, the others integers or floats.

#include <heed/dsl/number.hpp>
#include <heed/dsl/ops/elementwise.hpp>

namespace heed {

constexpr tensor operator+(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::add, detail::type_rule::number, "operator +", left, right);
}

constexpr tensor operator-(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::subtract, detail::type_rule::number, "operator -", left, right);
}

constexpr tensor operator*(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::multiply, detail::type_rule::number, "operator *", left, right);
}

constexpr tensor operator/(detail::operand left, detail::operand right) {
  return detail::binary(spec::op::divide, detail::type_rule::floating, "operator /", left, right);
}

constexpr tensor operator-(detail::operand x) {
  return detail::unary(spec::op::negate, detail::type_rule::number, "operator -", x.value, x.where);
}

} // namespace heed
