#include "Reference/Softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::reference {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One row of scores, relative to the largest of them and of the sink.
struct Row {
  double largest = -infinity;
  double total = 0;             ///< Σ exp(score − largest)
  double error = 0;             ///< relative, of the total
  bool unknown = false;         ///< rounding decides whether a score is there at all
  std::vector<double> weights;  ///< exp(score − largest)
  std::vector<double> relative; ///< error of each weight
};

/// A score may be off by its bound and, against the maximum, by three roundings: of the subtraction, of the
/// factor log2 e of a base-2 exponential and of the product with it. An absolute error of a score is a
/// relative error of its weight; an error of the maximum divides out. NaN in a visible score reaches the
/// total.
void addScore(Row &row, Number score, double u) {
  double shift = score.value == row.largest ? 0 : 3 * u * (std::fabs(score.value) + std::fabs(row.largest));
  row.unknown |= score.bound == infinity;
  row.weights.push_back(isHidden(score) ? 0 : std::exp(score.value - row.largest));
  row.relative.push_back(isHidden(score) ? 0 : std::expm1(score.bound + shift) + 4 * u);
  row.total += row.weights.back();
  row.error += boundProduct(row.weights.back(), row.relative.back());
}

Row rowOf(const Number *scores, std::int64_t n, const Number *sink, double u) {
  Row row;
  for (std::int64_t i = 0; i < n; ++i)
    if (scores[i].value > row.largest)
      row.largest = scores[i].value;
  if (sink && sink->value > row.largest)
    row.largest = sink->value;
  for (std::int64_t i = 0; i < n; ++i)
    addScore(row, scores[i], u);
  if (sink)
    addScore(row, *sink, u);
  row.error = row.total > 0 ? row.error / row.total + (sumGrowth(static_cast<double>(n + 1)) + 1) * u : 0;
  return row;
}

const Number *sinkOf(const Tensor *sink, const Shape &shape, std::size_t row) {
  return sink ? &sink->elements[row / shape[2] % shape[1]] : nullptr;
}

Number weightOf(const Row &row, std::size_t i, double u) {
  double weight = row.weights[i] / row.total;
  if (row.unknown)
    return {weight, std::isfinite(weight) ? 1 : infinity};
  double error = row.relative[i] + row.error + u;
  return {weight, std::isfinite(weight) ? std::min(1.0, boundProduct(weight, error) + underflow) : 0};
}

} // namespace

Tensor softmax(const Tensor &scores, const Tensor *sink, bool nanForEmpty, double u) {
  Tensor result = zeros(scores.shape);
  std::int64_t n = scores.shape.back();
  for (std::size_t first = 0; n > 0 && first < result.elements.size(); first += n) {
    Row row = rowOf(&scores.elements[first], n, sinkOf(sink, scores.shape, first / n), u);
    bool empty = row.total == 0 && !row.unknown;
    for (std::int64_t i = 0; i < n; ++i) {
      Number &weight = result.elements[first + i];
      if (empty && nanForEmpty && !sink)
        weight = {std::nan("")};
      else if (empty || isHidden(scores.elements[first + i]))
        weight = {0, 0, true};
      else
        weight = weightOf(row, i, u);
    }
  }
  return result;
}

/// With s' = s(1 + …) the weights of the scores' errors sum to 1, so that the total's relative error is the
/// logarithm's absolute one. Going to another unit of the exponent and back costs the maximum three
/// roundings.
Tensor logSumExp(const Tensor &scores, const Tensor *sink, const Shape &shape, double u) {
  Tensor result = zeros(shape);
  std::int64_t n = scores.shape.back();
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    Row row = rowOf(scores.elements.data() + i * n, n, sinkOf(sink, scores.shape, i), u);
    Number sum = logarithm({row.total, row.unknown ? infinity : boundProduct(row.total, row.error)}, u);
    double value = row.total == 0 ? -infinity : row.largest + sum.value;
    double shift = std::isfinite(row.largest) ? 3 * u * std::fabs(row.largest) : 0;
    result.elements[i] =
        row.total == 0 && !row.unknown ? Number{-infinity} : rounded(value, sum.bound + shift, u);
  }
  return result;
}

} // namespace heed::reference
