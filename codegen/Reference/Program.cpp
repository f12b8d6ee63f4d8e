#include "Reference/Program.h"

#include <algorithm>
#include <cmath>

namespace heed::reference {

using spec::scalar_op;
using spec::scalar_type;

namespace {

Scalar ofInteger(std::int64_t value) { return {scalar_type::integer, value, {}}; }
Scalar ofTruth(bool value) { return {scalar_type::truth, value, {}}; }
Scalar ofReal(Number value) { return {scalar_type::real, 0, value}; }

Scalar converted(const Scalar &scalar, scalar_type type) {
  switch (type) {
  case scalar_type::real:
    return ofReal(asReal(scalar));
  case scalar_type::truth:
    return ofTruth(asTruth(scalar));
  case scalar_type::integer:
    return ofInteger(scalar.type == scalar_type::real ? static_cast<std::int64_t>(scalar.real.value)
                                                      : scalar.integer);
  }
  return scalar;
}

Scalar integerResult(scalar_op kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
  case scalar_op::add:
    return ofInteger(a + b);
  case scalar_op::subtract:
    return ofInteger(a - b);
  case scalar_op::multiply:
    return ofInteger(a * b);
  case scalar_op::divide:
    return ofInteger(floorDivide(a, b));
  case scalar_op::remainder:
    return ofInteger(floorRemainder(a, b));
  case scalar_op::minimum:
    return ofInteger(std::min(a, b));
  case scalar_op::maximum:
    return ofInteger(std::max(a, b));
  case scalar_op::negate:
    return ofInteger(-a);
  default:
    return ofInteger(std::abs(a));
  }
}

/// a - floor(a / b) · b
Number realRemainder(Number a, Number b, double u) {
  double quotient = std::floor(a.value / b.value);
  return subtract(a, multiply({quotient}, b, u), u);
}

Scalar realResult(scalar_op kind, Number a, Number b, double u) {
  switch (kind) {
  case scalar_op::add:
    return ofReal(add(a, b, u));
  case scalar_op::subtract:
    return ofReal(subtract(a, b, u));
  case scalar_op::multiply:
    return ofReal(multiply(a, b, u));
  case scalar_op::divide:
    return ofReal(divide(a, b, u));
  case scalar_op::remainder:
    return ofReal(realRemainder(a, b, u));
  case scalar_op::minimum:
    return ofReal(minimum(a, b));
  case scalar_op::maximum:
    return ofReal(maximum(a, b));
  case scalar_op::negate:
    return ofReal(negate(a));
  case scalar_op::absolute:
    return ofReal(absolute(a));
  case scalar_op::exponential:
    return ofReal(exponential(a, u));
  case scalar_op::logarithm:
    return ofReal(logarithm(a, u));
  case scalar_op::sine:
    return ofReal(sine(a, u));
  case scalar_op::cosine:
    return ofReal(cosine(a, u));
  case scalar_op::hyperbolic_tangent:
    return ofReal(hyperbolicTangent(a, u));
  default:
    return ofReal(logistic(a, u));
  }
}

template <typename T> Scalar comparison(scalar_op kind, T a, T b) {
  switch (kind) {
  case scalar_op::less:
    return ofTruth(a < b);
  case scalar_op::less_equal:
    return ofTruth(a <= b);
  case scalar_op::greater:
    return ofTruth(a > b);
  case scalar_op::greater_equal:
    return ofTruth(a >= b);
  case scalar_op::equal:
    return ofTruth(a == b);
  default:
    return ofTruth(a != b);
  }
}

} // namespace

Number asReal(const Scalar &scalar) {
  return scalar.type == scalar_type::real ? scalar.real : Number{static_cast<double>(scalar.integer)};
}

bool asTruth(const Scalar &scalar) {
  return scalar.type == scalar_type::real ? scalar.real.value != 0 : scalar.integer != 0;
}

Program::Program(const spec::graph &kernel, const spec::node &node, std::vector<const Tensor *> operands,
                 const SymbolValues &symbols, double u)
    : kernel(kernel), operands(std::move(operands)), symbols(symbols), u(u), result(node.program),
      values(kernel.instruction_count) {
  std::vector<bool> needed(kernel.instruction_count, false);
  needed[result] = true;
  for (int i = result; i >= 0; --i) {
    if (!needed[i])
      continue;
    order.push_back(i);
    for (int j = 0; j < kernel.instructions[i].operand_count; ++j)
      needed[kernel.instructions[i].operands[j]] = true;
  }
  std::reverse(order.begin(), order.end());
}

Scalar Program::run(const Shape &index, Number score) {
  for (int i : order)
    values[i] = evaluate(kernel.instructions[i], index, score);
  return values[result];
}

Scalar Program::element(const spec::instruction &instruction) const {
  const Tensor &table = *operands[instruction.reference];
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < table.shape.size(); ++axis) {
    std::int64_t extent = table.shape[axis];
    if (extent == 0)
      return converted(ofInteger(0), instruction.type);
    std::int64_t at = converted(values[instruction.operands[axis]], scalar_type::integer).integer;
    offset = offset * extent + std::clamp<std::int64_t>(at, 0, extent - 1);
  }
  return converted(ofReal(table.elements[offset]), instruction.type);
}

Scalar Program::evaluate(const spec::instruction &instruction, const Shape &index, Number score) const {
  auto operand = [&](int i) -> const Scalar & { return values[instruction.operands[i]]; };
  switch (instruction.kind) {
  case scalar_op::position:
    return ofInteger(index[instruction.reference]);
  case scalar_op::score:
    return ofReal(score);
  case scalar_op::number:
    return converted(ofReal(constant(instruction.number, u)), instruction.type);
  case scalar_op::extent:
    return converted(ofInteger(extentValue(kernel, instruction.reference, symbols).value_or(0)),
                     instruction.type);
  case scalar_op::element:
    return element(instruction);
  case scalar_op::less:
  case scalar_op::less_equal:
  case scalar_op::greater:
  case scalar_op::greater_equal:
  case scalar_op::equal:
  case scalar_op::not_equal:
    if (operand(0).type != scalar_type::real && operand(1).type != scalar_type::real)
      return comparison(instruction.kind, operand(0).integer, operand(1).integer);
    return comparison(instruction.kind, asReal(operand(0)).value, asReal(operand(1)).value);
  case scalar_op::logical_and:
    return ofTruth(asTruth(operand(0)) && asTruth(operand(1)));
  case scalar_op::logical_or:
    return ofTruth(asTruth(operand(0)) || asTruth(operand(1)));
  case scalar_op::logical_not:
    return ofTruth(!asTruth(operand(0)));
  case scalar_op::select:
    return converted(operand(asTruth(operand(0)) ? 1 : 2), instruction.type);
  default:
    break;
  }
  const Scalar &left = operand(0);
  const Scalar &right = operand(instruction.operand_count > 1 ? 1 : 0);
  if (instruction.type != scalar_type::real)
    return integerResult(instruction.kind, left.integer, right.integer);
  return realResult(instruction.kind, asReal(left), asReal(right), u);
}

} // namespace heed::reference
