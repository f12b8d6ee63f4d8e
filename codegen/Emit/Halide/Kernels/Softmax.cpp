#include "Numerics.h"
#include "Rows.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// The largest entry and the sum of the weights of every row: what softmax and its logarithm start from.
/// Whole vectors go to one partial result per lane; what remains is added element by element.
class RowSums {
public:
  RowSums(const SoftmaxKernel &kernel, const CpuTarget &target)
      : kernel(kernel), type(accumulatorOf(kernel.element)), lanes(lanesOf(type, target.lanes)),
        x(kernel.element, 2, "x"), sink(kernel.element, 1, "sink") {
    for (int axis : {0, 1})
      x.dim(axis).set_min(0);
    x.dim(0).set_stride(Expr());
    count = x.dim(0).extent();
    rows = x.dim(1).extent();
    define();
  }

  void schedule(const LoopLevel &level) {
    for (Func *stage : {&row, &laneLargest, &largest, &weights, &laneSum, &sum})
      stage->compute_at(level);
    row.specialize(x.dim(0).stride() == 1).vectorize(n, lanes, TailStrategy::GuardWithIf);
    weights.vectorize(n, lanes, TailStrategy::GuardWithIf);
    for (Func *stage : {&laneLargest, &laneSum}) {
      stage->vectorize(l, lanes);
      stage->update().reorder(l, vectors).vectorize(l, lanes);
    }
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
  Var n{"n"}, r{"r"}, l{"l"};
  Func row{"row"}, largest{"largest"}, weights{"weights"}, sum{"sum"};

private:
  void define() {
    const Expr whole = count / lanes * lanes;
    vectors = RDom(0, count / lanes, "vector");
    const RDom allLanes(0, lanes, "lane"), rest(whole, count - whole, "rest");
    row(n, r) = cast(type, x(n, r));
    laneLargest(l, r) = lowestScore(type);
    laneLargest(l, r) = largerOf(laneLargest(l, r), row(vectors * lanes + l, r));
    const Expr lowest = lowestScore(type);
    largest(r) = kernel.hasSink ? largerOf(cast(type, sink(0)), lowest) : lowest;
    largest(r) = largerOf(largest(r), laneLargest(allLanes, r));
    largest(r) = largerOf(largest(r), row(rest, r));
    const Expr unit = number(type, log2e);
    weights(n, r) = exp2NonPositive(strictDifference(row(n, r), largest(r)) * unit);
    laneSum(l, r) = number(type, 0);
    laneSum(l, r) += weights(vectors * lanes + l, r);
    sum(r) = kernel.hasSink ? exp2NonPositive(strictDifference(cast(type, sink(0)), largest(r)) * unit)
                            : number(type, 0);
    sum(r) += laneSum(allLanes, r);
    sum(r) += weights(rest, r);
  }

  Func laneLargest{"lane_largest"}, laneSum{"lane_sum"};
  RDom vectors;
};

} // namespace

TileFunction buildSoftmax(const SoftmaxKernel &kernel, const CpuTarget &target) {
  RowSums in(kernel, target);
  Func y("y");
  y(in.n, in.r) = cast(kernel.element, quotientOrEmpty(in.weights(in.n, in.r), in.sum(in.r),
                                                       emptyRow(in.type, kernel.nanForEmpty, in.count)));
  y.output_buffer().dim(0).set_bounds(0, in.count);
  y.output_buffer().dim(1).set_bounds(0, in.rows);
  y.reorder(in.n, in.r).vectorize(in.n, in.lanes, TailStrategy::GuardWithIf);
  in.schedule(LoopLevel(y, in.r));
  return {kernel.name, Pipeline(y), in.arguments()};
}

TileFunction buildLogSumExp(const SoftmaxKernel &kernel, const CpuTarget &target) {
  RowSums in(kernel, target);
  Func y("y");
  const Expr sum = in.sum(in.r);
  const Expr isEmpty = strict_float(sum == number(in.type, 0));
  y(in.r) = cast(kernel.element, hideUnless(!isEmpty, strict_float(in.largest(in.r) + logarithm(sum))));
  y.output_buffer().dim(0).set_bounds(0, in.rows);
  y.output_buffer().dim(0).set_stride(Expr());
  in.schedule(LoopLevel(y, in.r));
  return {kernel.name, Pipeline(y), in.arguments()};
}

} // namespace heed::kernels
