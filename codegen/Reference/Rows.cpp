#include "Reference/Rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::reference {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Unit roundoff of what a kernel computes with.
double innerRoundoff(double u) { return std::min(u, unitRoundoff(spec::dtype::f32)); }

/// The rows of an operand, one for each element of the result.
std::span<const Number> rowOf(const Tensor &operand, std::size_t row) {
  std::size_t n = static_cast<std::size_t>(operand.shape.back());
  return std::span(operand.elements).subspan(row * n, n);
}

/// Σ of the terms in any order.
Number total(std::span<const Number> terms, double u) {
  double sum = 0, magnitude = 0, error = 0;
  for (const Number &term : terms) {
    sum += term.value;
    magnitude += std::fabs(term.value);
    error += term.bound;
  }
  double growth = std::isfinite(sum)
                      ? boundProduct(sumGrowth(static_cast<double>(terms.size())) * u, magnitude + error)
                      : 0;
  return rounded(sum, error + growth, 0);
}

Number mean(std::span<const Number> terms, double u) {
  return divide(total(terms, u), {static_cast<double>(terms.size())}, u);
}

/// Where a row's largest element is, or its first NaN.
std::size_t largestOf(std::span<const Number> row) {
  std::size_t best = 0;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (std::isnan(row[j].value))
      return j;
    if (row[j].value > row[best].value)
      best = j;
  }
  return best;
}

/// Whether element j may turn out to be the result although `best` is by its value.
bool mayBeLargest(Number candidate, Number best) {
  double slack = candidate.bound + best.bound;
  return slack == infinity || (slack > 0 && best.value - candidate.value <= slack);
}

/// 1 / sqrt(square + epsilon) with its relative error. The square is a mean of squares, so that even what a
/// kernel computes of it is not negative and epsilon is all that may remain.
struct Scale {
  double value, relative;
};

Scale scaleOf(Number square, double epsilon, double u) {
  double whole = square.value + epsilon;
  double least = whole - std::min(square.bound, square.value);
  double relative = square.bound == 0 ? 0 : least > 0 ? std::sqrt(whole / least) - 1 : infinity;
  return {1 / std::sqrt(whole), relative + 6 * u};
}

Number scaled(Number x, Scale by, double u) {
  double value = x.value * by.value;
  double bound = boundProduct(std::fabs(value), by.relative) +
                 boundProduct(boundProduct(x.bound, by.value), 1 + by.relative);
  return rounded(value, bound + underflow, u);
}

/// Differences to the mean. What the mean is off shifts all of them alike: it is no rounding of one.
struct Centred {
  std::vector<Number> differences; ///< without the error of the mean
  double shift = 0;                ///< error of the mean
};

Centred centre(std::span<const Number> row, double u) {
  Centred result;
  Number middle = mean(row, u);
  result.shift = middle.bound;
  for (const Number &x : row)
    result.differences.push_back(subtract(x, {middle.value}, u));
  return result;
}

/// Mean of the squares of (x + shift). For differences, which add up to 0, a shift enters squared only.
Number meanSquare(std::span<const Number> row, double shift, double u) {
  std::vector<Number> squares;
  double mixed = 0;
  for (const Number &x : row) {
    squares.push_back(multiply(x, x, u));
    mixed += 2 * boundProduct(shift, x.bound);
  }
  Number result = mean(squares, u);
  double extra = shift * shift + mixed / static_cast<double>(std::max<std::size_t>(row.size(), 1));
  return rounded(result.value, result.bound + extra, 0);
}

} // namespace

Tensor sum(const Tensor &operand, const Shape &shape, double u) {
  Tensor result = zeros(shape);
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    Number exact = total(rowOf(operand, i), innerRoundoff(u));
    result.elements[i] = rounded(exact.value, exact.bound, u);
  }
  return result;
}

Tensor amax(const Tensor &operand, const Shape &shape, double empty) {
  Tensor result = zeros(shape);
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    std::span<const Number> row = rowOf(operand, i);
    result.elements[i] = row.empty() ? Number{empty} : row[0];
    for (const Number &x : row)
      result.elements[i] = maximum(result.elements[i], x);
  }
  return result;
}

Tensor argmax(const Tensor &operand, const Shape &shape) {
  Tensor result = zeros(shape);
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    std::span<const Number> row = rowOf(operand, i);
    std::size_t best = largestOf(row);
    double reach = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (j != best && mayBeLargest(row[j], row[best]))
        reach = std::max(reach, std::fabs(static_cast<double>(j) - static_cast<double>(best)));
    result.elements[i] = {static_cast<double>(best), reach};
  }
  return result;
}

Tensor layerNorm(const Tensor &operand, const Tensor *gain, const Tensor *bias, double epsilon, double u) {
  Tensor result = zeros(operand.shape);
  double inner = innerRoundoff(u);
  std::size_t n = static_cast<std::size_t>(operand.shape.back());
  for (std::size_t row = 0; n > 0 && row < result.elements.size() / n; ++row) {
    Centred centred = centre(rowOf(operand, row), inner);
    Scale scale = scaleOf(meanSquare(centred.differences, centred.shift, inner), epsilon, inner);
    for (std::size_t j = 0; j < n; ++j) {
      Number difference = centred.differences[j];
      difference.bound += centred.shift;
      Number y = scaled(difference, scale, inner);
      y = gain ? multiply(y, gain->elements[j], inner) : y;
      y = bias ? add(y, bias->elements[j], inner) : y;
      result.elements[row * n + j] = rounded(y.value, y.bound, u);
    }
  }
  return result;
}

Tensor rmsNorm(const Tensor &operand, const Tensor *gain, double epsilon, double u) {
  Tensor result = zeros(operand.shape);
  double inner = innerRoundoff(u);
  std::size_t n = static_cast<std::size_t>(operand.shape.back());
  for (std::size_t row = 0; n > 0 && row < result.elements.size() / n; ++row) {
    std::span<const Number> elements = rowOf(operand, row);
    Scale scale = scaleOf(meanSquare(elements, 0, inner), epsilon, inner);
    for (std::size_t j = 0; j < n; ++j) {
      Number y = scaled(elements[j], scale, inner);
      y = gain ? multiply(y, gain->elements[j], inner) : y;
      result.elements[row * n + j] = rounded(y.value, y.bound, u);
    }
  }
  return result;
}

} // namespace heed::reference
