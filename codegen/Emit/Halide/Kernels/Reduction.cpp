#include "Numerics.h"
#include "ReductionFold.h"

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
    RowFold fold(reductionOf(kernel.kind, type, [this](const Expr &i) { return cast(type, x(i, r)); }), r,
                 count, lanesOf(type, lanes));
    y(r) = reductionResult(kernel, type, fold(r));
    y.output_buffer().dim(0).set_bounds(0, x.dim(1).extent());
    y.output_buffer().dim(0).set_stride(Expr());
    y.specialize(x.dim(0).stride() == 1);
    fold.schedule(LoopLevel(y, r));
    TileFunction function{kernel.name, Pipeline(y), {x}};
    function.strictFloat = true;
    return function;
  }

private:
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
