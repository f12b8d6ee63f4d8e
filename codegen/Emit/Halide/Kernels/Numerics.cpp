#include "Numerics.h"

#include <limits>

using namespace Halide;

namespace heed::kernels {

Expr lowestScore() { return std::numeric_limits<float>::lowest(); }

Expr hideUnless(const Expr &visible, const Expr &score) {
  const Expr minusInfinity = reinterpret<int32_t>(Expr(-std::numeric_limits<float>::infinity()));
  return reinterpret<float>(select(visible, reinterpret<int32_t>(score), minusInfinity));
}

Expr largerOf(const Expr &a, const Expr &b) { return strict_float(max(a, b)); }

Expr strictDifference(const Expr &a, const Expr &b) { return strict_float(a - b); }

Expr exp2NonPositive(const Expr &x) {
  // Adding this constant leaves round(x) + 127, the biased exponent of 2^round(x), in the lowest bits.
  const Expr magic = 12582912.0f + 127.0f;
  const Expr shifted = strict_float(x + magic);
  const Expr f = x - strict_float(shifted - magic);
  Expr p = 0x1.5bd97cp-10f;
  for (float coefficient : {0x1.3ce8b2p-7f, 0x1.c6b6dap-5f, 0x1.ebf9c2p-3f, 0x1.62e42ap-1f, 1.0f})
    p = p * f + coefficient;
  const Expr power = reinterpret<float>(reinterpret<int32_t>(shifted) << 23);
  return select(strict_float(x < -126.0f), 0.0f, p * power);
}

Expr quotientOrZero(const Expr &a, const Expr &b) {
  return select(strict_float(b == 0.0f), 0.0f, strict_float(a / b));
}

} // namespace heed::kernels
