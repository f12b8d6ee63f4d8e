//===- Functions.cpp - Functions of reals in regions ----------------------===//

#include "Functions.h"

#include "Kernels/Numerics.h"

#include <limits>

using Halide::Expr;

namespace heed {

using kernels::choose;
using kernels::magnitudeBits;
using kernels::number;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool isSingle(const Expr &x) { return x.type().bits() == 32; }

// On the bits, since LLVM may assume that a float is no NaN.
Expr isNan(const Expr &x) { return magnitudeBits(x) > kernels::bitsOf(number(x.type(), infinity)); }

Expr isFinite(const Expr &x) { return !kernels::isNotFinite(magnitudeBits(x), x.type()); }

Expr nan(const Halide::Type &type) { return number(type, std::numeric_limits<double>::quiet_NaN()); }

Expr orNan(const Expr &x, const Expr &result) {
  return Halide::Internal::is_const(x) ? result : choose(isNan(x), x, result);
}

} // namespace

Expr exponential(const Expr &x) {
  if (!isSingle(x))
    return Halide::exp(x);
  // Halide converts the exponent to an integer, which must exist: beyond these the result is infinity or 0.
  Expr bounded = Halide::min(Halide::max(x, -110.0f), 100.0f);
  return orNan(x, Halide::exp(bounded));
}

Expr naturalLogarithm(const Expr &x) {
  if (!isSingle(x))
    return Halide::log(x);
  Expr isPositive = kernels::bitsOf(x) >= 0;
  return choose(isFinite(x), Halide::log(x), choose(isPositive || isNan(x), x, nan(x.type())));
}

Expr sine(const Expr &x) { return choose(isFinite(x), Halide::sin(x), nan(x.type())); }

Expr cosine(const Expr &x) { return choose(isFinite(x), Halide::cos(x), nan(x.type())); }

Expr minimum(const Expr &a, const Expr &b) { return orNan(a, orNan(b, Halide::min(a, b))); }

Expr maximum(const Expr &a, const Expr &b) { return orNan(a, orNan(b, Halide::max(a, b))); }

} // namespace heed
