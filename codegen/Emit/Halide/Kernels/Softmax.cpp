#include "Numerics.h"
#include "RowFold.h"
#include "Rows.h"

#include <optional>

using namespace Halide;

namespace heed::kernels {

namespace {

/// The largest entry and the sum of the weights of every row: what softmax and its logarithm start from.
class RowSums {
public:
  RowSums(const SoftmaxKernel &kernel, const CpuTarget &target)
      : kernel(kernel), type(accumulatorOf(kernel.types.input)), lanes(lanesOf(type, target.lanes)),
        x(kernel.types.input, 2, "x"), sink(kernel.types.sink, 1, "sink") {
    for (int axis : {0, 1})
      x.dim(axis).set_min(0);
    x.dim(0).set_stride(Expr());
    count = x.dim(0).extent();
    rows = x.dim(1).extent();
    define();
  }

  /// Everything within a row of y, which is read by vectors where it is dense.
  void schedule(Func &y) {
    y.specialize(x.dim(0).stride() == 1);
    const LoopLevel level(y, r);
    for (Func *stage : {&largest, &weights, &sum})
      stage->compute_at(level);
    weights.vectorize(n, lanes, TailStrategy::GuardWithIf);
    maxima->schedule(level);
    sums->schedule(level);
  }

  std::vector<Argument> arguments() const {
    std::vector<Argument> list{x};
    if (kernel.hasSink)
      list.push_back(sink);
    return list;
  }

  const SoftmaxKernel &kernel;
  const Type type;
  const int lanes;
  ImageParam x, sink;
  Expr count, rows;
  Var n{"n"}, r{"r"};
  Func largest{"largest"}, weights{"weights"}, sum{"sum"};

private:
  void define() {
    maxima.emplace(Fold{"largest",
                        {lowestScore(type)},
                        [this](const Expr &i) { return Values{element(i)}; },
                        [](const Values &a, const Values &b) { return Values{largerOf(a[0], b[0])}; }},
                   r, count, lanes);
    const Expr ofRow = (*maxima)(r)[0];
    largest(r) = kernel.hasSink ? largerOf(cast(type, sink(0)), ofRow) : ofRow;
    weights(n, r) = weightOf(element(n));
    sums.emplace(sumOf("sum", {type}, [this](const Expr &i) { return Values{weights(i, r)}; }), r, count,
                 lanes);
    const Expr ofKeys = (*sums)(r)[0];
    sum(r) = kernel.hasSink ? weightOf(cast(type, sink(0))) + ofKeys : ofKeys;
  }

  Expr element(const Expr &index) const { return cast(type, x(index, r)); }

  Expr weightOf(const Expr &score) const {
    return exp2NonPositive(strictDifference(score, largest(r)) * number(type, log2e));
  }

  std::optional<RowFold> maxima, sums;
};

} // namespace

TileFunction buildSoftmax(const SoftmaxKernel &kernel, const CpuTarget &target) {
  RowSums in(kernel, target);
  Func y("y");
  y(in.n, in.r) = cast(kernel.types.result, quotientOrEmpty(in.weights(in.n, in.r), in.sum(in.r),
                                                            emptyRow(in.type, kernel.nanForEmpty, in.count)));
  y.output_buffer().dim(0).set_bounds(0, in.count);
  y.output_buffer().dim(1).set_bounds(0, in.rows);
  y.reorder(in.n, in.r).vectorize(in.n, in.lanes, TailStrategy::GuardWithIf);
  in.schedule(y);
  return {kernel.name, Pipeline(y), in.arguments()};
}

TileFunction buildLogSumExp(const SoftmaxKernel &kernel, const CpuTarget &target) {
  RowSums in(kernel, target);
  Func y("y");
  const Expr sum = in.sum(in.r);
  const Expr isEmpty = strict_float(sum == number(in.type, 0));
  y(in.r) = cast(kernel.types.result, hideUnless(!isEmpty, strict_float(in.largest(in.r) + logarithm(sum))));
  y.output_buffer().dim(0).set_bounds(0, in.rows);
  y.output_buffer().dim(0).set_stride(Expr());
  in.schedule(y);
  return {kernel.name, Pipeline(y), in.arguments()};
}

} // namespace heed::kernels
