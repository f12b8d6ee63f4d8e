#include "Reference/Operations.h"

#include "Reference/Philox.h"
#include "Reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::reference {

namespace {

/// Σ left[i·leftStep] · right[i·rightStep] over n terms.
Number dot(const Number *left, std::int64_t leftStep, const Number *right, std::int64_t rightStep,
           std::int64_t n, double u) {
  double sum = 0, magnitude = 0, error = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const Number &a = left[i * leftStep], &b = right[i * rightStep];
    if (a.absent || b.absent)
      continue;
    sum += a.value * b.value;
    magnitude += std::fabs(a.value * b.value);
    error += boundProduct(std::fabs(a.value), b.bound) + boundProduct(std::fabs(b.value) + b.bound, a.bound);
  }
  double growth = std::isfinite(sum) ? (sumGrowth(n) + 1) * u * (magnitude + error) : 0;
  return rounded(sum, error + growth, 0);
}

} // namespace

Tensor matmul(const Tensor &left, const Tensor &right, const Shape &shape, double u) {
  Tensor result = zeros(shape);
  std::size_t rank = shape.size();
  std::int64_t k = left.shape.back(), n = right.shape.back();
  // Steps along (…, m) of the left and (…, n) of the right operand; the missing axis is the one summed over.
  Shape leftShape = left.shape, rightShape = right.shape;
  leftShape.back() = 1;
  rightShape[rightShape.size() - 2] = 1;
  Shape leftStrides = broadcastStrides(leftShape, shape), rightStrides = broadcastStrides(rightShape, shape);
  for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
    leftStrides[axis] *= k;
    if (axis + 2 < rank)
      rightStrides[axis] *= k;
  }
  Shape index(rank, 0);
  for (Number &element : result.elements) {
    element = dot(&left.elements.data()[offsetOf(index, leftStrides)], 1,
                  &right.elements.data()[offsetOf(index, rightStrides)], n, k, u);
    advance(index, shape);
  }
  return result;
}

Tensor linear(const Tensor &input, const Tensor &weight, const Tensor *bias, const Shape &shape, double u) {
  Tensor result = zeros(shape);
  std::int64_t in = weight.shape[1], out = weight.shape[0];
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    std::int64_t row = i / out, column = i % out;
    result.elements[i] =
        dot(&input.elements.data()[row * in], 1, &weight.elements.data()[column * in], 1, in, u);
    if (bias)
      result.elements[i] = add(result.elements[i], bias->elements[column], u);
  }
  return result;
}

Tensor permute(const Tensor &operand, const std::vector<int> &permutation) {
  std::size_t rank = permutation.size();
  Shape strides(rank, 1), shape(rank), resultStrides(rank);
  for (std::size_t axis = rank; axis-- > 1;)
    strides[axis - 1] = strides[axis] * operand.shape[axis];
  for (std::size_t axis = 0; axis < rank; ++axis) {
    shape[axis] = operand.shape[permutation[axis]];
    resultStrides[axis] = strides[permutation[axis]];
  }
  Tensor result = zeros(shape);
  Shape index(rank, 0);
  for (Number &element : result.elements) {
    element = operand.elements[offsetOf(index, resultStrides)];
    advance(index, shape);
  }
  return result;
}

namespace {

/// Elements of one axis from `start` on lie in a row of so many after each other.
std::int64_t innerCount(const Shape &shape, int axis) {
  return elementCount(Shape(shape.begin() + axis + 1, shape.end()));
}

/// Copies `source`, which is no longer on the axis, from or to where `start` lies in `whole`.
template <typename Copy>
void forEachPart(const Shape &whole, const Shape &part, int axis, std::int64_t start, Copy copy) {
  std::int64_t inner = innerCount(whole, axis), length = part[axis] * inner;
  for (std::int64_t i = 0; length > 0 && i < elementCount(part); ++i)
    copy(i / length * whole[axis] * inner + start * inner + i % length, i);
}

} // namespace

Tensor slice(const Tensor &operand, int axis, std::int64_t start, const Shape &shape) {
  Tensor result = zeros(shape);
  if (!operand.integers.empty())
    result.integers.resize(result.elements.size());
  forEachPart(operand.shape, shape, axis, start, [&](std::int64_t from, std::int64_t to) {
    result.elements[to] = operand.elements[from];
    if (!operand.integers.empty())
      result.integers[to] = operand.integers[from];
  });
  return result;
}

Tensor append(const Tensor &cache, const Tensor &rows, std::int64_t position, int axis) {
  Tensor result = cache;
  bool isExact = !cache.integers.empty() || !rows.integers.empty();
  if (isExact && cache.integers.empty())
    for (std::size_t i = 0; i < cache.elements.size(); ++i)
      result.integers.push_back(cache.integer(i));
  forEachPart(cache.shape, rows.shape, axis, position, [&](std::int64_t to, std::int64_t from) {
    result.elements[to] = rows.elements[from];
    if (isExact)
      result.integers[to] = rows.integer(from);
  });
  return result;
}

Tensor repeatHeads(const Tensor &operand, const Shape &shape) {
  Tensor result = zeros(shape);
  std::int64_t head = shape[2] * shape[3], repeats = operand.shape[1] ? shape[1] / operand.shape[1] : 0;
  for (std::int64_t i = 0; i < elementCount(shape); ++i)
    result.elements[i] = operand.elements[i / head / repeats * head + i % head];
  return result;
}

Tensor dropout(const Tensor &operand, Number probability, std::int64_t seed, std::int32_t site, double u) {
  Tensor result = operand;
  Number kept = subtract({1}, probability, u);
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    double number = uniform(seed, static_cast<std::int64_t>(i), site);
    bool keeps = number >= static_cast<float>(probability.value);
    bool uncertain = std::fabs(number - probability.value) < probability.bound;
    if (result.elements[i].absent || probability.value == 0)
      continue;
    bool mayOutlive = !keeps && std::isnan(operand.elements[i].value);
    result.elements[i] = mayOutlive ? Number{0, std::numeric_limits<double>::infinity()}
                                    : chosen(keeps, uncertain, divide(operand.elements[i], kept, u), {0});
  }
  return result;
}

Tensor splitHeads(const Tensor &operand, const Shape &shape) {
  Tensor split{{shape[0], shape[2], shape[1], shape[3]}, operand.elements};
  return permute(split, {0, 2, 1, 3});
}

Tensor mergeHeads(const Tensor &operand, const Shape &shape) {
  Tensor merged = permute(operand, {0, 2, 1, 3});
  merged.shape = shape;
  return merged;
}

namespace {

/// The truth of a comparison, uncertain (bound 1) where the operands' errors can turn it.
Number compared(bool truth, Number a, Number b) {
  double slack = a.bound + b.bound;
  return {truth ? 1.0 : 0.0, slack > 0 && std::fabs(a.value - b.value) <= slack ? 1.0 : 0.0};
}

Number elementOf(const spec::node &node, const Number *x, double u) {
  switch (node.kind) {
  case spec::op::add:
    return add(x[0], x[1], u);
  case spec::op::subtract:
    return subtract(x[0], x[1], u);
  case spec::op::multiply:
    return multiply(x[0], x[1], u);
  case spec::op::divide:
    return divide(x[0], x[1], u);
  case spec::op::minimum:
    return minimum(x[0], x[1]);
  case spec::op::maximum:
    return maximum(x[0], x[1]);
  case spec::op::negate:
    return negate(x[0]);
  case spec::op::absolute:
    return absolute(x[0]);
  case spec::op::square_root:
    return squareRoot(x[0], u);
  case spec::op::exponential:
    return exponential(x[0], u);
  case spec::op::logarithm:
    return logarithm(x[0], u);
  case spec::op::hyperbolic_tangent:
    return hyperbolicTangent(x[0], u);
  case spec::op::error_function:
    return errorFunction(x[0], u);
  case spec::op::logistic:
    return logistic(x[0], u);
  case spec::op::less:
    return compared(x[0].value < x[1].value, x[0], x[1]);
  case spec::op::less_equal:
    return compared(x[0].value <= x[1].value, x[0], x[1]);
  case spec::op::greater:
    return compared(x[0].value > x[1].value, x[0], x[1]);
  case spec::op::greater_equal:
    return compared(x[0].value >= x[1].value, x[0], x[1]);
  case spec::op::equal:
    return compared(x[0].value == x[1].value, x[0], x[1]);
  case spec::op::not_equal:
    return compared(x[0].value != x[1].value, x[0], x[1]);
  case spec::op::logical_and:
    return {x[0].value != 0 && x[1].value != 0 ? 1.0 : 0.0, std::max(x[0].bound, x[1].bound) > 0 ? 1.0 : 0.0};
  case spec::op::logical_or:
    return {x[0].value != 0 || x[1].value != 0 ? 1.0 : 0.0, std::max(x[0].bound, x[1].bound) > 0 ? 1.0 : 0.0};
  case spec::op::logical_not:
    return {x[0].value == 0 ? 1.0 : 0.0, x[0].bound > 0 ? 1.0 : 0.0};
  case spec::op::convert:
    return x[0].absent ? x[0] : rounded(x[0].value, x[0].bound, u);
  case spec::op::where:
    return chosen(x[0].value != 0, x[0].bound > 0, x[1], x[2]);
  default:
    return {std::numeric_limits<double>::quiet_NaN()};
  }
}

} // namespace

Tensor elementwise(const spec::node &node, std::span<const Tensor *const> operands, const Shape &shape) {
  double u = computingRoundoff(node.type);
  Tensor result = zeros(shape);
  std::vector<Shape> strides;
  for (const Tensor *operand : operands)
    strides.push_back(broadcastStrides(operand->shape, shape));
  Shape index(shape.size(), 0);
  for (Number &element : result.elements) {
    Number values[3];
    for (std::size_t i = 0; i < operands.size() && i < 3; ++i)
      values[i] = operands[i]->elements[offsetOf(index, strides[i])];
    element = elementOf(node, values, u);
    advance(index, shape);
  }
  return result;
}

} // namespace heed::reference
