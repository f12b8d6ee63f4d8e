#include "VulkanMath.h"

#include "Numerics.h"

#include <limits>

using namespace Halide;

namespace heed::kernels {

namespace {

/// 2^f for f within half of 0.
Expr exp2OfRest(const Expr &f) {
  Expr sum = 0x1.5bd97cp-10f;
  for (float coefficient : {0x1.3ce8b2p-7f, 0x1.c6b6dap-5f, 0x1.ebf9c2p-3f, 0x1.62e42ap-1f, 1.0f})
    sum = sum * f + coefficient;
  return sum;
}

/// With n the nearest integer to x / ln 2 and f what remains, e^x = 2^(n-1) · 2 · 2^(f / ln 2).
Expr exponentialOf(const Expr &x) {
  const Expr n = round(x * float(log2e));
  // ln 2 as a sum of a number of few bits, whose product with n is exact, and the rest.
  const Expr f = ((x - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f) * float(log2e);
  const Expr scale = reinterpret<float>((cast<int32_t>(n) + 126) << 23);
  const Expr value = 2.0f * exp2OfRest(f) * scale;
  const Expr infinity = number(Float(32), std::numeric_limits<double>::infinity());
  return select(x > 88.72284f, infinity, select(x < -86.64f, 0.0f, value));
}

} // namespace

Expr exponentialOnVulkan(const Expr &x) {
  const std::string name = Internal::unique_name("value");
  return Internal::Let::make(name, x, exponentialOf(Internal::Variable::make(x.type(), name)));
}

} // namespace heed::kernels
