#include "Reference/Operations.h"

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
  return {sum, std::isfinite(sum) ? error + (sumGrowth(n) + 1) * u * (magnitude + error) : 0};
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

namespace {

/// One row of softmax. A score may be off by its bound and, against the maximum, by three roundings: of the
/// subtraction, of the factor log2 e of a base-2 exponential and of the product with it. An absolute error of
/// a score is a relative error of its weight. NaN in a visible score reaches the sum and so the whole row.
void softmaxRow(const Number *scores, Number *weights, std::int64_t n, double u) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double largest = -infinity;
  for (std::int64_t i = 0; i < n; ++i)
    if (scores[i].value > largest)
      largest = scores[i].value;
  double total = 0, totalError = 0;
  std::vector<double> relative(n);
  for (std::int64_t i = 0; i < n; ++i) {
    double score = scores[i].value;
    weights[i] = {0, 0, score == -infinity};
    if (weights[i].absent)
      continue;
    weights[i].value = std::exp(score - largest);
    double shift = score == largest ? 0 : 3 * u * (std::fabs(score) + std::fabs(largest));
    relative[i] = std::expm1(scores[i].bound + shift) + 4 * u;
    total += weights[i].value;
    totalError += boundProduct(weights[i].value, relative[i]);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    if (weights[i].absent)
      continue;
    double weight = weights[i].value / total;
    double error = relative[i] + totalError / total + (sumGrowth(n) + 2) * u;
    weights[i] = {weight, std::isfinite(weight) ? std::min(1.0, boundProduct(weight, error) + underflow) : 0};
  }
}

} // namespace

Tensor softmax(const Tensor &scores, double u) {
  Tensor result = zeros(scores.shape);
  std::int64_t n = scores.shape.back();
  for (std::size_t row = 0; n > 0 && row < result.elements.size(); row += n)
    softmaxRow(&scores.elements[row], &result.elements[row], n, u);
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

Number chosen(Number condition, Number then, Number otherwise) {
  Number result = condition.value != 0 ? then : otherwise;
  if (condition.bound > 0)
    result.bound = std::max(then.bound, otherwise.bound) + std::fabs(then.value - otherwise.value);
  return result;
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
    return {x[0].value != 0 && x[1].value != 0 ? 1.0 : 0.0};
  case spec::op::logical_or:
    return {x[0].value != 0 || x[1].value != 0 ? 1.0 : 0.0};
  case spec::op::logical_not:
    return {x[0].value == 0 ? 1.0 : 0.0};
  case spec::op::where:
    return chosen(x[0], x[1], x[2]);
  default:
    return {std::numeric_limits<double>::quiet_NaN()};
  }
}

} // namespace

Tensor elementwise(const spec::node &node, std::span<const Tensor *const> operands, const Shape &shape) {
  double u = unitRoundoff(node.type);
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
