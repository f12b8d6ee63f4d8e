#pragma once
/// \file
/// Operators and functions of scalars, for the programs of mask, score_mod and tabulate.
///
///   + - *        integer, or real with one real operand
///   /            the same; integers divide towards minus infinity
///   %            integers; the sign of the result is the divisor's
///   < <= > >= == !=   of numbers, give a condition
///   && || !      of conditions; both sides are always evaluated
///   min max abs  of numbers
///   exp log sin cos tanh erf sigmoid   give a real
///   select(c, a, b)   a where c holds, else b: both numbers or both conditions

#include <heed/dsl/scalar.hpp>

namespace heed {

constexpr scalar operator+(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::add, detail::scalar_rule::number, "operator +", left, &right);
}
constexpr scalar operator-(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::subtract, detail::scalar_rule::number, "operator -", left, &right);
}
constexpr scalar operator*(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::multiply, detail::scalar_rule::number, "operator *", left, &right);
}
constexpr scalar operator/(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::divide, detail::scalar_rule::number, "operator /", left, &right);
}
constexpr scalar operator%(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::remainder, detail::scalar_rule::integer, "operator %", left, &right);
}
constexpr scalar operator-(scalar_operand operand) {
  return detail::apply(spec::scalar_op::negate, detail::scalar_rule::number, "operator -", operand);
}

constexpr scalar operator<(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::less, detail::scalar_rule::comparison, "operator <", left, &right);
}
constexpr scalar operator<=(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::less_equal, detail::scalar_rule::comparison, "operator <=", left,
                       &right);
}
constexpr scalar operator>(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::greater, detail::scalar_rule::comparison, "operator >", left, &right);
}
constexpr scalar operator>=(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::greater_equal, detail::scalar_rule::comparison, "operator >=", left,
                       &right);
}
constexpr scalar operator==(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::equal, detail::scalar_rule::comparison, "operator ==", left, &right);
}
constexpr scalar operator!=(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::not_equal, detail::scalar_rule::comparison, "operator !=", left,
                       &right);
}

constexpr scalar operator&&(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::logical_and, detail::scalar_rule::logical, "operator &&", left,
                       &right);
}
constexpr scalar operator||(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::logical_or, detail::scalar_rule::logical, "operator ||", left,
                       &right);
}
constexpr scalar operator!(scalar_operand operand) {
  return detail::apply(spec::scalar_op::logical_not, detail::scalar_rule::logical, "operator !", operand);
}

constexpr scalar min(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::minimum, detail::scalar_rule::number, "min", left, &right);
}
constexpr scalar max(scalar_operand left, scalar_operand right) {
  return detail::apply(spec::scalar_op::maximum, detail::scalar_rule::number, "max", left, &right);
}

constexpr scalar abs(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::absolute, detail::scalar_rule::number, "abs", {x, where});
}
constexpr scalar exp(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::exponential, detail::scalar_rule::real, "exp", {x, where});
}
constexpr scalar log(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::logarithm, detail::scalar_rule::real, "log", {x, where});
}
constexpr scalar sin(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::sine, detail::scalar_rule::real, "sin", {x, where});
}
constexpr scalar cos(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::cosine, detail::scalar_rule::real, "cos", {x, where});
}
constexpr scalar tanh(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::hyperbolic_tangent, detail::scalar_rule::real, "tanh", {x, where});
}
constexpr scalar erf(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::error_function, detail::scalar_rule::real, "erf", {x, where});
}
constexpr scalar sigmoid(const scalar &x, location where = {}) {
  return detail::apply(spec::scalar_op::logistic, detail::scalar_rule::real, "sigmoid", {x, where});
}

constexpr scalar select(const scalar &condition, scalar_operand then, scalar_operand otherwise,
                        location where = {}) {
  detail::builder *const owner = condition.owner();
  if (owner == nullptr || owner->failed())
    return {};
  const scalar operands[] = {detail::materialize(owner, {condition, where}, "select"),
                             detail::materialize(owner, then, "select"),
                             detail::materialize(owner, otherwise, "select")};
  if (owner->failed())
    return {};
  spec::instruction made;
  made.kind = spec::scalar_op::select;
  made.operand_count = 3;
  for (int i = 0; i < 3; ++i)
    made.operands[i] = operands[i].id();
  const spec::scalar_type a = operands[1].type(), b = operands[2].type();
  made.type = a == b ? a : spec::scalar_type::real;
  if (operands[0].type() != spec::scalar_type::truth)
    owner->fail(where, "select: the first operand is ", detail::scalar_type_name(operands[0].type()),
                ", a condition is needed; compare it with a number");
  else if (a != b && (a == spec::scalar_type::truth || b == spec::scalar_type::truth))
    owner->fail(where, "select: one choice is a condition and the other a number, both must be of one kind");
  return owner->failed() ? scalar() : detail::add_instruction(owner, made, where);
}

} // namespace heed
