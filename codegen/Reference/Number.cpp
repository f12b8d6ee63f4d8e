#include "Reference/Number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::reference {

namespace {

/// Relative error of a transcendental function of the kernel's precision, in units of u. The kernel's own
/// polynomials and the C library's functions stay below it.
constexpr double functionError = 4;

Number functionOf(double value, double argumentError, double u) {
  double bound = std::isfinite(value) ? argumentError + functionError * u * std::fabs(value) : 0;
  return {value, u == 0 ? bound : bound + underflow};
}

} // namespace

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

double boundProduct(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Number rounded(double value, double bound, double u) {
  return {value, std::isfinite(value) ? bound + u * (std::fabs(value) + bound) : 0};
}

Number constant(double value, double u) {
  return static_cast<float>(value) == value ? Number{value} : rounded(value, 0, u);
}

Number add(Number a, Number b, double u) { return rounded(a.value + b.value, a.bound + b.bound, u); }

Number subtract(Number a, Number b, double u) { return rounded(a.value - b.value, a.bound + b.bound, u); }

Number multiply(Number a, Number b, double u) {
  if (a.absent || b.absent)
    return {0, 0, true};
  double bound =
      boundProduct(std::fabs(a.value), b.bound) + boundProduct(std::fabs(b.value) + b.bound, a.bound);
  return rounded(a.value * b.value, bound, u);
}

Number divide(Number a, Number b, double u) {
  if (a.absent)
    return a;
  double quotient = a.value / b.value;
  double error = a.bound + boundProduct(std::fabs(quotient), b.bound);
  double room = std::fabs(b.value) - b.bound;
  double bound = error == 0 ? 0 : room > 0 ? error / room : std::numeric_limits<double>::infinity();
  return rounded(quotient, bound, u);
}

Number minimum(Number a, Number b) {
  double bound = std::max(a.bound, b.bound);
  if (std::isnan(a.value) || std::isnan(b.value))
    return {a.value + b.value, 0};
  return {std::min(a.value, b.value), bound};
}

Number maximum(Number a, Number b) {
  Number result = minimum(negate(a), negate(b));
  return {-result.value, result.bound};
}

Number negate(Number a) { return {-a.value, a.bound, a.absent}; }

Number absolute(Number a) { return {std::fabs(a.value), a.bound, a.absent}; }

Number squareRoot(Number a, double u) {
  double error = a.bound == 0        ? 0
                 : a.value > a.bound ? a.bound / (2 * std::sqrt(a.value - a.bound))
                                     : std::sqrt(2 * a.bound);
  return functionOf(std::sqrt(a.value), error, u);
}

Number exponential(Number a, double u) {
  double value = std::exp(a.value);
  return functionOf(value, boundProduct(value, std::expm1(a.bound)), u);
}

Number logarithm(Number a, double u) {
  double error = a.bound == 0        ? 0
                 : a.value > a.bound ? a.bound / (a.value - a.bound)
                                     : std::numeric_limits<double>::infinity();
  return functionOf(std::log(a.value), error + u, u);
}

Number sine(Number a, double u) { return functionOf(std::sin(a.value), a.bound + functionError * u, u); }

Number cosine(Number a, double u) { return functionOf(std::cos(a.value), a.bound + functionError * u, u); }

Number hyperbolicTangent(Number a, double u) { return functionOf(std::tanh(a.value), a.bound + u, u); }

Number logistic(Number a, double u) { return functionOf(1 / (1 + std::exp(-a.value)), a.bound / 4 + u, u); }

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
  if (b == 0)
    return 0;
  std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

std::int64_t floorRemainder(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a - floorDivide(a, b) * b; }

} // namespace heed::reference
