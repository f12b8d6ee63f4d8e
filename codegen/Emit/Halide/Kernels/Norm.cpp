#include "Numerics.h"
#include "RowFold.h"
#include "Rows.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class Norm {
public:
  Norm(const NormKernel &kernel, const CpuTarget &target)
      : kernel(kernel), type(accumulatorOf(kernel.element)), lanes(lanesOf(type, target.lanes)),
        x(kernel.element, 2, "x"), gain(kernel.element, 1, "gain"), bias(kernel.element, 1, "bias"),
        count(x.dim(0).extent()) {
    for (ImageParam *operand : {&x, &gain, &bias}) {
      for (int axis = 0; axis < operand->dimensions(); ++axis)
        operand->dim(axis).set_min(0);
      operand->dim(0).set_stride(Expr());
    }
  }

  TileFunction build() {
    defineFirst();
    RowFold sum(sumOf("sum", type, [&](const Expr &i) { return fromFirst(i); }), r, count, lanes);
    mean(r) = sum(r)[0] / length();
    RowFold squares(sumOf("squares", type,
                          [&](const Expr &i) {
                            const Expr deviation = centred(i);
                            return deviation * deviation;
                          }),
                    r, count, lanes);
    scale(r) = number(type, 1) / sqrt(squares(r)[0] / length() + number(type, kernel.epsilon));
    y(n, r) = cast(kernel.element, result());
    y.output_buffer().dim(0).set_bounds(0, count);
    y.output_buffer().dim(1).set_bounds(0, x.dim(1).extent());

    y.reorder(n, r);
    y.specialize(isDense()).vectorize(n, lanes, TailStrategy::GuardWithIf);
    const LoopLevel row(y, r);
    first.compute_at(row);
    squares.schedule(row);
    scale.compute_at(row);
    if (kernel.centred) {
      sum.schedule(row);
      mean.compute_at(row);
    }
    TileFunction function{kernel.name, Pipeline(y), arguments()};
    function.strictFloat = true;
    return function;
  }

private:
  Expr length() const { return cast(type, count); }

  Expr element(const Expr &index) const { return cast(type, x(index, r)); }

  /// There is none in an empty row.
  void defineFirst() {
    const RDom any(0, min(count, 1), "any");
    first(r) = number(type, 0);
    first(r) = element(any);
  }

  /// Moving a row so that it begins with 0 makes the mean of equal elements exact, and that of close ones.
  Expr fromFirst(const Expr &index) const { return element(index) - first(r); }

  Expr centred(const Expr &index) const {
    return kernel.centred ? fromFirst(index) - mean(r) : element(index);
  }

  Expr result() const {
    Expr value = centred(n) * scale(r);
    if (kernel.hasGain)
      value = value * cast(type, gain(n));
    if (kernel.hasBias)
      value = value + cast(type, bias(n));
    return value;
  }

  Expr isDense() const {
    Expr dense = x.dim(0).stride() == 1;
    for (const ImageParam *operand : parameters())
      dense = dense && operand->dim(0).stride() == 1;
    return dense;
  }

  std::vector<const ImageParam *> parameters() const {
    std::vector<const ImageParam *> list;
    if (kernel.hasGain)
      list.push_back(&gain);
    if (kernel.hasBias)
      list.push_back(&bias);
    return list;
  }

  std::vector<Argument> arguments() const {
    std::vector<Argument> list{x};
    for (const ImageParam *operand : parameters())
      list.push_back(*operand);
    return list;
  }

  const NormKernel &kernel;
  const Type type;
  const int lanes;
  ImageParam x, gain, bias;
  const Expr count;
  Var n{"n"}, r{"r"};
  Func first{"first"}, mean{"mean"}, scale{"scale"}, y{"y"};
};

} // namespace

TileFunction buildNorm(const NormKernel &kernel, const CpuTarget &target) {
  return Norm(kernel, target).build();
}

} // namespace heed::kernels
