#include "Numerics.h"
#include "RowFold.h"
#include "Rows.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class Reducer {
public:
  Reducer(const ReductionKernel &kernel, const CpuTarget &target)
      : kernel(kernel), x(kernel.input, 2, "x"), count(x.dim(0).extent()), lanes(target.lanes) {
    for (int axis : {0, 1})
      x.dim(axis).set_min(0);
    x.dim(0).set_stride(Expr());
    const Type element = kernel.input;
    type = element.is_float() ? accumulatorOf(element) : element;
  }

  TileFunction build() {
    RowFold fold(this->fold(), r, count, lanesOf(type, lanes));
    y(r) = result(fold(r));
    y.output_buffer().dim(0).set_bounds(0, x.dim(1).extent());
    y.output_buffer().dim(0).set_stride(Expr());
    y.specialize(x.dim(0).stride() == 1);
    fold.schedule(LoopLevel(y, r));
    TileFunction function{kernel.name, Pipeline(y), {x}};
    function.strictFloat = true;
    return function;
  }

private:
  Expr element(const Expr &index) const { return cast(type, x(index, r)); }

  Fold fold() const {
    // Sums of signed integers have no meaning where they overflow.
    if (kernel.kind == Reduction::Sum) {
      const Type sum = type.is_int() ? type.with_code(Type::UInt) : type;
      return sumOf("sum", {sum}, [=, this](const Expr &i) { return Values{cast(sum, element(i))}; });
    }
    const Expr lowest =
        type.is_int() ? type.min() : keyOf(number(type, -std::numeric_limits<double>::infinity()));
    if (kernel.kind == Reduction::Amax)
      return {"largest",
              {lowest},
              [this](const Expr &i) { return Values{keyOf(element(i))}; },
              [](const Values &a, const Values &b) { return Values{max(a[0], b[0])}; }};
    return {"first_largest",
            {lowest, Expr(0)},
            [this](const Expr &i) { return Values{keyOf(element(i)), i}; },
            [](const Values &a, const Values &b) {
              const Expr takesB = b[0] > a[0] || (b[0] == a[0] && b[1] < a[1]);
              return Values{select(takesB, b[0], a[0]), select(takesB, b[1], a[1])};
            }};
  }

  Expr result(const Values &values) const {
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

  const ReductionKernel &kernel;
  ImageParam x;
  const Expr count;
  const int lanes;
  Type type;
  Var r{"r"};
  Func y{"y"};
};

} // namespace

TileFunction buildReduction(const ReductionKernel &kernel, const CpuTarget &target) {
  return Reducer(kernel, target).build();
}

} // namespace heed::kernels
