#include "Numerics.h"
#include "RowFold.h"
#include "Rows.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class Norm {
public:
  Norm(const NormKernel &kernel, const CpuTarget &target)
      : kernel(kernel), type(accumulatorOf(kernel.types.input)), lanes(lanesOf(type, target.lanes)),
        x(kernel.types.input, 2, "x"), gain(kernel.types.gain, 1, "gain"), bias(kernel.types.bias, 1, "bias"),
        count(x.dim(0).extent()) {
    for (ImageParam *operand : {&x, &gain, &bias}) {
      for (int axis = 0; axis < operand->dimensions(); ++axis)
        operand->dim(axis).set_min(0);
      operand->dim(0).set_stride(Expr());
    }
  }

  TileFunction build() {
    RowFold sum(sumOf("sum", {type}, [&](const Expr &i) { return Values{element(i)}; }), r, count, lanes);
    mean(r) = sum(r)[0] / length();
    RowFold moments(sumOf("moments", momentTypes(), [&](const Expr &i) { return momentTerms(i); }), r, count,
                    lanes);
    const Values sums = moments(r);
    Expr square = sums.back() / length();
    if (kernel.centred) {
      rest(r) = sums.front() / length();
      square = max(square - rest(r) * rest(r), number(type, 0));
    }
    scale(r) = number(type, 1) / sqrt(square + number(type, kernel.epsilon));
    y(n, r) = cast(kernel.types.result, result());
    y.output_buffer().dim(0).set_bounds(0, count);
    y.output_buffer().dim(1).set_bounds(0, x.dim(1).extent());

    y.reorder(n, r);
    y.specialize(isDense()).vectorize(n, lanes, TailStrategy::GuardWithIf);
    const LoopLevel row(y, r);
    moments.schedule(row);
    scale.compute_at(row);
    if (kernel.centred) {
      sum.schedule(row);
      mean.compute_at(row);
      rest.compute_at(row);
    }
    TileFunction function{kernel.name, Pipeline(y), arguments()};
    function.strictFloat = true;
    return function;
  }

private:
  Expr length() const { return cast(type, count); }

  Expr element(const Expr &index) const { return cast(type, x(index, r)); }

  // What rounding left of the mean comes out of the differences to it, which have few digits where they are
  // small: it is taken off them, so that a constant row gives exact zeros.
  Expr difference(const Expr &index) const { return element(index) - mean(r); }

  Values momentTerms(const Expr &index) const {
    if (!kernel.centred)
      return {element(index) * element(index)};
    const Expr d = difference(index);
    return {d, d * d};
  }

  std::vector<Type> momentTypes() const { return std::vector<Type>(kernel.centred ? 2 : 1, type); }

  Expr result() const {
    Expr value = (kernel.centred ? difference(n) - rest(r) : element(n)) * scale(r);
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
  Func mean{"mean"}, rest{"rest"}, scale{"scale"}, y{"y"};
};

} // namespace

TileFunction buildNorm(const NormKernel &kernel, const CpuTarget &target) {
  return Norm(kernel, target).build();
}

} // namespace heed::kernels
