#include "Reference/Number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::reference {

namespace {

/// Relative error of a transcendental function of the kernel's precision, in units of u. The kernel's own
/// polynomials and the C library's functions stay below it.
constexpr double functionError = 4;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// An infinite or NaN result is exact unless nothing is known about it.
double boundOf(double value, double bound) { return std::isfinite(value) || bound == infinity ? bound : 0; }

/// Absolute error of one rounding to f16 below its smallest normal number; those of wider exponents lie below
/// `underflow`.
double subnormalError(double u) { return u == unitRoundoff(spec::dtype::f16) ? 0x1p-25 : 0; }

Number functionOf(double value, double argumentError, double u) {
  double bound =
      boundOf(value, argumentError + (std::isfinite(value) ? functionError * u * std::fabs(value) : 0));
  return {value, u == 0 ? bound : bound + std::max(underflow, subnormalError(u))};
}

/// A function that maps -infinity to 0, of a hidden score.
constexpr Number absentWeight = {0, 0, true};

} // namespace

Number hiddenScore() { return {-infinity, 0, true}; }

bool isHidden(Number score) { return score.value == -infinity && score.bound == 0; }

double unitRoundoff(spec::dtype type) {
  switch (type) {
  case spec::dtype::f16:
    return 0x1p-11;
  case spec::dtype::bf16:
    return 0x1p-8;
  case spec::dtype::f32:
    return 0x1p-24;
  case spec::dtype::f64:
    return 0x1p-53;
  case spec::dtype::b8:
  case spec::dtype::i32:
  case spec::dtype::i64:
    return 0;
  }
  return 0;
}

double sumGrowth(double n) { return std::min(n, 4 * std::sqrt(n)); }

double boundProduct(double a, double b) {
  return a == 0 || b == 0 || std::isnan(a) || std::isnan(b) ? 0 : a * b;
}

Number rounded(double value, double bound, double u) {
  double size = std::fabs(value) + bound;
  double error = size == 0 ? 0 : std::max(boundProduct(u, size), subnormalError(u));
  return {value, boundOf(value, bound + (std::isfinite(value) ? error : 0))};
}

Number constant(double value, double u) {
  if (value == -infinity)
    return hiddenScore();
  return static_cast<float>(value) == value ? Number{value} : rounded(value, 0, u);
}

namespace {

bool isAbsentScore(Number a) { return a.absent && a.value == -infinity; }
bool isAbsentWeight(Number a) { return a.absent && a.value == 0; }
bool isScale(Number a) { return a.value > 0 && std::isfinite(a.value); }

} // namespace

Number add(Number a, Number b, double u) {
  if (isAbsentScore(a) || isAbsentScore(b))
    return hiddenScore();
  return rounded(a.value + b.value, a.bound + b.bound, u);
}

Number subtract(Number a, Number b, double u) {
  if (isAbsentScore(a) && !isAbsentScore(b))
    return a;
  return rounded(a.value - b.value, a.bound + b.bound, u);
}

Number multiply(Number a, Number b, double u) {
  if (isAbsentWeight(a) || isAbsentWeight(b))
    return absentWeight;
  if ((isAbsentScore(a) && isScale(b)) || (isAbsentScore(b) && isScale(a)))
    return hiddenScore();
  double bound =
      boundProduct(std::fabs(a.value), b.bound) + boundProduct(std::fabs(b.value) + b.bound, a.bound);
  return rounded(a.value * b.value, bound, u);
}

Number divide(Number a, Number b, double u) {
  if (isAbsentWeight(a) || (isAbsentScore(a) && isScale(b)))
    return a;
  double quotient = a.value / b.value;
  double error = a.bound + boundProduct(std::fabs(quotient), b.bound);
  double room = std::fabs(b.value) - b.bound;
  double bound = error == 0 ? 0 : room > 0 ? error / room : infinity;
  return rounded(quotient, bound, u);
}

Number minimum(Number a, Number b) {
  if (isAbsentScore(a) || isAbsentScore(b))
    return hiddenScore();
  double bound = std::max(a.bound, b.bound);
  if (std::isnan(a.value) || std::isnan(b.value))
    return {a.value + b.value, boundOf(a.value + b.value, bound)};
  double value = std::min(a.value, b.value);
  return {value, boundOf(value, bound)};
}

Number maximum(Number a, Number b) {
  Number result = minimum(negate(a), negate(b));
  return {-result.value, result.bound};
}

Number negate(Number a) { return {-a.value, a.bound, isAbsentWeight(a)}; }

Number absolute(Number a) { return {std::fabs(a.value), a.bound, isAbsentWeight(a)}; }

Number squareRoot(Number a, double u) {
  double error = a.bound == 0        ? 0
                 : a.value > a.bound ? a.bound / (2 * std::sqrt(a.value - a.bound))
                                     : std::sqrt(2 * a.bound);
  return functionOf(std::sqrt(a.value), error, u);
}

Number exponential(Number a, double u) {
  if (isAbsentScore(a))
    return absentWeight;
  double value = std::exp(a.value);
  return functionOf(value, a.bound == infinity ? infinity : boundProduct(value, std::expm1(a.bound)), u);
}

Number logarithm(Number a, double u) {
  double error = a.bound == 0 ? 0 : a.value > a.bound ? a.bound / (a.value - a.bound) : infinity;
  return functionOf(std::log(a.value), error + u, u);
}

Number sine(Number a, double u) {
  return functionOf(std::sin(a.value), std::min(2.0, a.bound + functionError * u), u);
}

Number cosine(Number a, double u) {
  return functionOf(std::cos(a.value), std::min(2.0, a.bound + functionError * u), u);
}

Number hyperbolicTangent(Number a, double u) {
  return functionOf(std::tanh(a.value), std::min(2.0, a.bound) + u, u);
}

Number errorFunction(Number a, double u) {
  constexpr double steepest = 1.1283791670955126; // 2 / sqrt(pi)
  return functionOf(std::erf(a.value), std::min(2.0, steepest * a.bound) + u, u);
}

Number logistic(Number a, double u) {
  if (isAbsentScore(a))
    return absentWeight;
  return functionOf(1 / (1 + std::exp(-a.value)), std::min(1.0, a.bound / 4) + u, u);
}

Number chosen(bool condition, bool uncertain, Number then, Number otherwise) {
  Number result = condition ? then : otherwise;
  if (uncertain && then.value != otherwise.value) {
    double distance = std::fabs(then.value - otherwise.value);
    result = {result.value,
              std::isnan(distance) ? infinity : std::max(then.bound, otherwise.bound) + distance};
  }
  return result;
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
  if (b == 0)
    return 0;
  std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

std::int64_t floorRemainder(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a - floorDivide(a, b) * b; }

} // namespace heed::reference
