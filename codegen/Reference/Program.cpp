#include "Reference/Program.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::reference {

using spec::scalar_op;
using spec::scalar_type;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min(),
                       highest = std::numeric_limits<std::int64_t>::max();

/// Combinations of uncertain integers that are tried one by one; beyond, nothing is known about the result.
constexpr std::int64_t mostCombinations = 64;

Scalar ofRange(scalar_type type, std::int64_t value, std::int64_t low, std::int64_t high) {
  return {type, value, low, high, {}};
}
Scalar ofInteger(std::int64_t value) { return ofRange(scalar_type::integer, value, value, value); }
Scalar ofTruth(bool value, bool uncertain = false) {
  return ofRange(scalar_type::truth, value, value && !uncertain, value || uncertain);
}
Scalar ofReal(Number value) { return {scalar_type::real, 0, 0, 0, value}; }

bool isExact(const Scalar &scalar) { return scalar.low == scalar.high; }

/// Towards zero; what does not fit is the nearest integer that does.
std::int64_t truncated(double value) {
  return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -0x1p62, 0x1p62));
}

Scalar converted(const Scalar &scalar, scalar_type type) {
  const Number &real = scalar.real;
  if (scalar.type == type)
    return scalar;
  if (type == scalar_type::real)
    return ofReal(asReal(scalar));
  if (type == scalar_type::truth)
    return ofTruth(asTruth(scalar), isUncertain(scalar));
  if (scalar.type != scalar_type::real)
    return ofRange(type, scalar.integer, scalar.low, scalar.high);
  return ofRange(type, truncated(real.value), truncated(real.value - real.bound),
                 truncated(real.value + real.bound));
}

/// The number of integers that a scalar may be, at most one more than are tried.
std::int64_t choices(const Scalar &scalar) {
  std::uint64_t distance = static_cast<std::uint64_t>(scalar.high) - static_cast<std::uint64_t>(scalar.low);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(distance, mostCombinations)) + 1;
}

/// f(a, b) for all that a and b may be.
template <typename F> Scalar overRanges(scalar_type type, const Scalar &a, const Scalar &b, F f) {
  std::int64_t value = f(a.integer, b.integer);
  if (isExact(a) && isExact(b))
    return ofRange(type, value, value, value);
  if (choices(a) * choices(b) > mostCombinations)
    return type == scalar_type::truth ? ofTruth(value != 0, true) : ofRange(type, value, lowest, highest);
  Scalar result = ofRange(type, value, value, value);
  for (std::int64_t i = a.low; i <= a.high; ++i)
    for (std::int64_t j = b.low; j <= b.high; ++j) {
      std::int64_t other = f(i, j);
      result.low = std::min(result.low, other);
      result.high = std::max(result.high, other);
    }
  return result;
}

std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::int64_t integerResult(scalar_op kind, std::int64_t a, std::int64_t b) {
  std::uint64_t x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (kind) {
  case scalar_op::add:
    return wrapped(x + y);
  case scalar_op::subtract:
    return wrapped(x - y);
  case scalar_op::multiply:
    return wrapped(x * y);
  case scalar_op::divide:
    return floorDivide(a, b);
  case scalar_op::remainder:
    return floorRemainder(a, b);
  case scalar_op::minimum:
    return std::min(a, b);
  case scalar_op::maximum:
    return std::max(a, b);
  case scalar_op::negate:
    return wrapped(0 - x);
  default:
    return a < 0 ? wrapped(0 - x) : a;
  }
}

/// a - floor(a / b) · b
Number realRemainder(Number a, Number b, double u) {
  Number quotient = divide(a, b, u);
  double whole = std::floor(quotient.value);
  Number result = subtract(a, multiply({whole}, b, u), u);
  if (std::floor(quotient.value - quotient.bound) != std::floor(quotient.value + quotient.bound))
    result.bound += std::fabs(b.value);
  return result;
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
  case scalar_op::error_function:
    return ofReal(errorFunction(a, u));
  default:
    return ofReal(logistic(a, u));
  }
}

template <typename T> bool comparison(scalar_op kind, T a, T b) {
  switch (kind) {
  case scalar_op::less:
    return a < b;
  case scalar_op::less_equal:
    return a <= b;
  case scalar_op::greater:
    return a > b;
  case scalar_op::greater_equal:
    return a >= b;
  case scalar_op::equal:
    return a == b;
  default:
    return a != b;
  }
}

Scalar compared(scalar_op kind, const Scalar &left, const Scalar &right) {
  if (left.type != scalar_type::real && right.type != scalar_type::real)
    return overRanges(scalar_type::truth, left, right,
                      [=](std::int64_t a, std::int64_t b) { return comparison(kind, a, b); });
  Number a = asReal(left), b = asReal(right);
  double slack = a.bound + b.bound;
  return ofTruth(comparison(kind, a.value, b.value),
                 slack == infinity || (slack > 0 && std::fabs(a.value - b.value) <= slack));
}

Scalar selected(const Scalar &condition, const Scalar &then, const Scalar &otherwise) {
  bool truth = asTruth(condition), uncertain = isUncertain(condition);
  if (then.type == scalar_type::real)
    return ofReal(chosen(truth, uncertain, then.real, otherwise.real));
  Scalar result = truth ? then : otherwise;
  if (uncertain) {
    result.low = std::min(then.low, otherwise.low);
    result.high = std::max(then.high, otherwise.high);
  }
  return result;
}

} // namespace

Number asReal(const Scalar &scalar) {
  if (scalar.type == scalar_type::real)
    return scalar.real;
  double value = static_cast<double>(scalar.integer);
  if (isExact(scalar))
    return {value};
  bool known = scalar.low != lowest || scalar.high != highest;
  return {value,
          known ? std::max(static_cast<double>(scalar.high) - value, value - static_cast<double>(scalar.low))
                : infinity};
}

bool asTruth(const Scalar &scalar) {
  return scalar.type == scalar_type::real ? scalar.real.value != 0 : scalar.integer != 0;
}

bool isUncertain(const Scalar &scalar) {
  if (scalar.type == scalar_type::real)
    return scalar.real.bound > 0 && !(std::fabs(scalar.real.value) > scalar.real.bound);
  return !isExact(scalar) && scalar.low <= 0 && scalar.high >= 0;
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

Scalar Program::elementAt(const spec::instruction &instruction, std::int64_t offset) const {
  const Tensor &table = *operands[instruction.reference];
  if (instruction.type == scalar_type::integer && !table.integers.empty())
    return ofInteger(table.integers[offset]);
  return converted(ofReal(table.elements[offset]), instruction.type);
}

Scalar Program::element(const spec::instruction &instruction) const {
  const Tensor &table = *operands[instruction.reference];
  std::vector<std::int64_t> offsets = {0}; // where the element may be; the first is where it is
  for (std::size_t axis = 0; axis < table.shape.size(); ++axis) {
    std::int64_t last = table.shape[axis] - 1;
    if (last < 0)
      return converted(ofInteger(0), instruction.type);
    auto clamped = [=](std::int64_t at) { return std::clamp<std::int64_t>(at, 0, last); };
    Scalar at = converted(values[instruction.operands[axis]], scalar_type::integer);
    Scalar range = ofRange(at.type, clamped(at.integer), clamped(at.low), clamped(at.high));
    if (choices(range) * static_cast<std::int64_t>(offsets.size()) > mostCombinations)
      return converted(ofReal({0, infinity}), instruction.type);
    std::vector<std::int64_t> next = {offsets[0] * (last + 1) + range.integer};
    for (std::int64_t offset : offsets)
      for (std::int64_t i = range.low; i <= range.high; ++i)
        next.push_back(offset * (last + 1) + i);
    offsets = isExact(range) && offsets.size() == 1 ? std::vector{next[0]} : next;
  }
  Scalar result = elementAt(instruction, offsets[0]);
  for (std::size_t i = 1; i < offsets.size(); ++i)
    result = selected(ofTruth(true, true), result, elementAt(instruction, offsets[i]));
  return result;
}

Scalar Program::evaluate(const spec::instruction &instruction, const Shape &index, Number score) const {
  auto operand = [&](int i) -> const Scalar & { return values[instruction.operands[i]]; };
  auto truth = [&](int i) { return converted(operand(i), scalar_type::truth); };
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
    return compared(instruction.kind, operand(0), operand(1));
  case scalar_op::logical_and:
    return overRanges(scalar_type::truth, truth(0), truth(1), [](auto a, auto b) { return a & b; });
  case scalar_op::logical_or:
    return overRanges(scalar_type::truth, truth(0), truth(1), [](auto a, auto b) { return a | b; });
  case scalar_op::logical_not:
    return overRanges(scalar_type::truth, truth(0), ofInteger(1), [](auto a, auto b) { return a ^ b; });
  case scalar_op::select:
    return selected(operand(0), converted(operand(1), instruction.type),
                    converted(operand(2), instruction.type));
  default:
    break;
  }
  const Scalar &left = operand(0);
  const Scalar &right = operand(instruction.operand_count > 1 ? 1 : 0);
  if (instruction.type != scalar_type::real)
    return overRanges(instruction.type, left, right,
                      [&](std::int64_t a, std::int64_t b) { return integerResult(instruction.kind, a, b); });
  return realResult(instruction.kind, asReal(left), asReal(right), u);
}

} // namespace heed::reference
