#include "ReductionFold.h"

#include "Numerics.h"

#include <limits>
#include <stdexcept>

using namespace Halide;

namespace heed::kernels {

Fold reductionOf(Reduction kind, const Type &type, const std::function<Expr(const Expr &index)> &element) {
  // Sums of signed integers have no meaning where they overflow.
  if (kind == Reduction::Sum) {
    const Type sum = type.is_int() ? type.with_code(Type::UInt) : type;
    return sumOf("sum", {sum}, [=](const Expr &i) { return Values{cast(sum, element(i))}; });
  }
  const Expr lowest =
      type.is_int() ? type.min() : keyOf(number(type, -std::numeric_limits<double>::infinity()));
  if (kind == Reduction::Amax)
    return {"largest",
            {lowest},
            [=](const Expr &i) { return Values{keyOf(element(i))}; },
            [](const Values &a, const Values &b) { return Values{max(a[0], b[0])}; }};
  return {"first_largest",
          {lowest, Expr(0)},
          [=](const Expr &i) { return Values{keyOf(element(i)), i}; },
          [](const Values &a, const Values &b) {
            const Expr takesB = b[0] > a[0] || (b[0] == a[0] && b[1] < a[1]);
            return Values{select(takesB, b[0], a[0]), select(takesB, b[1], a[1])};
          }};
}

Expr reductionResult(const ReductionKernel &kernel, const Type &type, const Values &values) {
  switch (kernel.kind) {
  case Reduction::Sum:
    return cast(kernel.result, values[0]);
  case Reduction::Amax:
    return cast(kernel.result, numberOf(values[0], type));
  case Reduction::Argmax:
    return values[1];
  }
  throw std::logic_error("reduction: unknown");
}

} // namespace heed::kernels
