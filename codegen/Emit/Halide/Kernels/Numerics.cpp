#include "Numerics.h"

#include <cmath>
#include <limits>

using namespace Halide;

namespace heed::kernels {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool isDouble(const Type &type) { return type.bits() == 64; }

Type bitsType(const Type &type) { return type.with_code(Type::Int); }

Expr polynomial(const Expr &x, const std::vector<double> &coefficients) {
  Expr sum = number(x.type(), coefficients.front());
  for (size_t n = 1; n < coefficients.size(); ++n)
    sum = sum * x + number(x.type(), coefficients[n]);
  return sum;
}

/// 2^f = Σ (f ln 2)^n / n!, highest power first.
std::vector<double> taylorOfExp2(int degree) {
  std::vector<double> coefficients(degree + 1);
  long double coefficient = 1;
  for (int n = 0; n <= degree; ++n) {
    coefficients[degree - n] = double(coefficient);
    coefficient *= 0.693147180559945309417232121458L / (n + 1);
  }
  return coefficients;
}

} // namespace

Type accumulatorOf(const Type &element) { return element == Float(64) ? Float(64) : Float(32); }

int lanesOf(const Type &accumulator, int lanes) { return lanes * 4 / accumulator.bytes(); }

Expr number(const Type &type, double value) { return Internal::make_const(type, value); }

Expr lowestScore(const Type &type) {
  return isDouble(type) ? Expr(std::numeric_limits<double>::lowest())
                        : Expr(std::numeric_limits<float>::lowest());
}

Expr bitsOf(const Expr &x) { return reinterpret(bitsType(x.type()), x); }

Expr magnitudeBits(const Expr &x) {
  const Expr bits = bitsOf(x);
  return bits & bits.type().max();
}

Expr choose(const Expr &condition, const Expr &a, const Expr &b) {
  return reinterpret(a.type(), select(condition, bitsOf(a), bitsOf(b)));
}

Expr hideUnless(const Expr &visible, const Expr &score) {
  return choose(visible, score, number(score.type(), -infinity));
}

Expr isHidden(const Expr &score) { return bitsOf(score) == bitsOf(number(score.type(), -infinity)); }

Expr isNotFinite(const Expr &magnitudeBits, const Type &type) {
  return magnitudeBits >= bitsOf(number(type, infinity));
}

Expr largerOf(const Expr &a, const Expr &b) { return strict_float(max(a, b)); }

Expr strictDifference(const Expr &a, const Expr &b) { return strict_float(a - b); }

Expr exp2NonPositive(const Expr &x) {
  static const std::vector<double> minimax = {0x1.5bd97cp-10, 0x1.3ce8b2p-7, 0x1.c6b6dap-5,
                                              0x1.ebf9c2p-3,  0x1.62e42ap-1, 1.0};
  static const std::vector<double> taylor = taylorOfExp2(13);
  const Type type = x.type();
  const int mantissa = isDouble(type) ? 52 : 23, bias = isDouble(type) ? 1023 : 127;
  // Adding this constant leaves round(x) + bias, the biased exponent of 2^round(x), in the lowest bits.
  const Expr magic = number(type, std::ldexp(1.5, mantissa) + bias);
  const Expr shifted = strict_float(x + magic);
  const Expr f = x - strict_float(shifted - magic);
  const Expr p = polynomial(f, isDouble(type) ? taylor : minimax);
  const Expr power = reinterpret(type, bitsOf(shifted) << mantissa);
  return select(strict_float(x < number(type, 1 - bias)), number(type, 0), p * power);
}

Expr exp2ToUpperHalf(const Expr &x) {
  // 2^f + 2^-9 on (-1, 0]: in [1/2, 1) half a unit of the last place is 2^-9, and cutting off rounds.
  static const std::vector<double> minimax = {0x1.3f96a4p-5, 0x1.d72f22p-3, 0x1.61cd78p-1, 0x1.007b1ap+0};
  const Type type = x.type();
  const Expr n = cast(Int(32), x);
  const Expr p = polynomial(x - cast(type, n), minimax);
  const Expr power = reinterpret(type, bitsOf(p) + (n << 23));
  return select(strict_float(x < number(type, -125)), number(type, 0), power);
}

Expr logarithm(const Expr &x) {
  return Internal::Call::make(x.type(), isDouble(x.type()) ? "log" : "logf", {x}, Internal::Call::PureExtern);
}

Expr emptyRow(const Type &type, bool nanForEmpty, const Expr &keys) {
  const Expr zero = number(type, 0);
  return nanForEmpty ? choose(keys > 0, number(type, std::numeric_limits<double>::quiet_NaN()), zero) : zero;
}

Expr quotientOrEmpty(const Expr &a, const Expr &b, const Expr &empty) {
  return choose(strict_float(b == number(b.type(), 0)), empty, strict_float(a / b));
}

Expr keyOf(const Expr &x) {
  if (x.type().is_int())
    return x;
  const Expr magnitude = magnitudeBits(x), largest = magnitude.type().max();
  const Expr isNan = magnitude > bitsOf(number(x.type(), infinity));
  return select(isNan, largest, select(bitsOf(x) < 0, -magnitude, magnitude));
}

Expr numberOf(const Expr &key, const Type &type) {
  if (type.is_int())
    return key;
  return reinterpret(type, select(key < 0, -key | key.type().min(), key));
}

} // namespace heed::kernels
