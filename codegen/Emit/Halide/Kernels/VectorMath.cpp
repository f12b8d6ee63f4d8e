#include "VectorMath.h"

#include "Numerics.h"

#include <functional>
#include <limits>

using namespace Halide;
using Halide::Internal::Call;

namespace heed::kernels {

namespace {

/// Σ coefficients[n] · x^n.
Expr polynomial(const Expr &x, std::initializer_list<float> coefficients) {
  auto coefficient = std::rbegin(coefficients);
  Expr sum = *coefficient;
  while (++coefficient != std::rend(coefficients))
    sum = sum * x + *coefficient;
  return sum;
}

/// x within [-limit, limit]; NaN stays.
Expr limited(const Expr &x, float limit) {
  const Expr below = select(strict_float(limit < x), limit, x);
  return select(strict_float(below < -limit), -limit, below);
}

/// f of a value that is computed once: nested functions would grow exponentially as trees.
Expr ofValue(const Expr &x, const std::function<Expr(const Expr &)> &f) {
  if (x.as<Internal::Variable>() || Internal::is_const(x))
    return f(x);
  const std::string name = Internal::unique_name("value");
  return Internal::Let::make(name, x, f(Internal::Variable::make(x.type(), name)));
}

class ReplaceCalls : public Internal::IRMutator {
  using IRMutator::visit;

  Expr visit(const Call *op) override {
    if (op->name == "tanh_f32")
      return hyperbolicTangent(mutate(withoutQuotient(op->args[0])));
    if (op->name == "exp_f32")
      return exponential(mutate(op->args[0]));
    return IRMutator::visit(op);
  }

  static Expr withoutQuotient(const Expr &x) {
    const Call *call = x.as<Call>();
    if (!call || !call->is_intrinsic(Call::strict_div))
      return x;
    const auto divisor = Internal::as_const_float(call->args[1]);
    return divisor && *divisor != 0 ? call->args[0] * float(1 / *divisor) : x;
  }
};

} // namespace

static Expr tanhOfLimited(const Expr &x) {
  const Expr square = x * x;
  const Expr above =
      polynomial(square, {1.0f, 0x1.120442p-3f, 0x1.c9f856p-9f, 0x1.59555ep-16f, 0x1.c9a3c2p-27f});
  const Expr below =
      polynomial(square, {1.0f, 0x1.de576ap-2f, 0x1.a7df24p-6f, 0x1.5841d8p-12f, 0x1.a0b85cp-21f});
  return x * above / below;
}

Expr hyperbolicTangent(const Expr &argument) {
  return ofValue(argument, [](const Expr &x) {
    return ofValue(limited(x, 9.02f), [](const Expr &inside) {
      return ofValue(tanhOfLimited(inside), [](const Expr &y) { return limited(y, 1.0f); });
    });
  });
}

static Expr erfOfLimited(const Expr &x) {
  const Expr square = x * x;
  const Expr above = polynomial(square, {0x1.20dd74p+0f, 0x1.884822p-3f, 0x1.b12560p-5f, 0x1.f31868p-9f,
                                         0x1.2a7e36p-12f, 0x1.0fe510p-19f});
  const Expr below = polynomial(
      square, {1.0f, 0x1.01943ap-1f, 0x1.d5395cp-4f, 0x1.ed4d30p-7f, 0x1.32de4ep-10f, 0x1.3d559ep-15f});
  return x * above / below;
}

Expr errorFunction(const Expr &argument) {
  if (argument.type().bits() == 64)
    return Call::make(argument.type(), "erf", {argument}, Call::PureExtern);
  return ofValue(argument, [](const Expr &x) {
    return ofValue(limited(x, 3.95f), [](const Expr &inside) {
      return ofValue(erfOfLimited(inside), [](const Expr &y) { return limited(y, 1.0f); });
    });
  });
}

/// With n the nearest integer to x / ln 2 and f what remains, e^x = 2^(n-1) · 2 · 2^(f / ln 2).
static Expr exponentialOf(const Expr &x) {
  const Expr magic = 12582912.0f + 126.0f;
  const Expr shifted = strict_float(x * float(log2e) + magic);
  const Expr n = strict_float(shifted - magic);
  // ln 2 as a sum of a number of few bits, whose product with n is exact, and the rest.
  const Expr f = strict_float((x - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f) * float(log2e);
  const Expr p = 2.0f * polynomial(f, {1.0f, 0x1.62e42ap-1f, 0x1.ebf9c2p-3f, 0x1.c6b6dap-5f, 0x1.3ce8b2p-7f,
                                       0x1.5bd97cp-10f});
  const Expr value = p * reinterpret<float>(reinterpret<int32_t>(shifted) << 23);
  const Expr infinity = std::numeric_limits<float>::infinity();
  return choose(strict_float(x > 88.72284f), infinity, select(strict_float(x < -86.64f), 0.0f, value));
}

Expr exponential(const Expr &argument) { return ofValue(argument, exponentialOf); }

Expr useVectorMath(const Expr &e) { return ReplaceCalls().mutate(e); }

} // namespace heed::kernels
