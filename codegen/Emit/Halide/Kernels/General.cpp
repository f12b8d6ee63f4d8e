#include "General.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Mins are 0 and every axis may have any stride.
void allowAnyStride(ImageParam &operand) {
  for (int axis = 0; axis < operand.dimensions(); ++axis)
    operand.dim(axis).set_min(0);
  operand.dim(0).set_stride(Expr());
}

} // namespace

TileFunction buildMatmul(const MatmulKernel &kernel, const MatmulSchedule &schedule,
                         const CpuTarget &target) {
  ImageParam a(kernel.element, 2, "a"), b(kernel.element, 2, "b");
  allowAnyStride(a);
  allowAnyStride(b);
  const Expr depth = a.dim(0).extent(), rows = a.dim(1).extent(), columns = b.dim(0).extent();

  Var c("c"), r("r"), k("k"), co("co"), ro("ro");
  RDom depths(0, depth, "depth");
  Func packed("packed"), sum("sum"), product("product"), y("y");
  packed(c, k) = cast<float>(b(min(c, columns - 1), k));
  sum(c, r) += packed(c, depths) * cast<float>(a(depths, min(r, rows - 1)));
  product(c, r) = sum(c, r);
  y(c, r) = cast(kernel.element, product(c, r));
  y.output_buffer().dim(0).set_bounds(0, columns);
  y.output_buffer().dim(1).set_bounds(0, rows);

  const int columnTile = 2 * target.lanes, rowTile = 4;
  y.reorder(c, r).vectorize(c, target.lanes, TailStrategy::GuardWithIf);
  product.compute_root()
      .split(c, co, c, columnTile, TailStrategy::RoundUp)
      .split(r, ro, r, rowTile, TailStrategy::RoundUp);
  product.reorder(c, r, ro, co).vectorize(c, target.lanes).unroll(c).unroll(r);
  sum.compute_at(product, ro).vectorize(c, target.lanes).unroll(c).unroll(r);
  sum.update().reorder(c, r, depths).vectorize(c, target.lanes).unroll(c).unroll(r);
  packed.compute_at(product, co);
  return {kernel.name, Pipeline(y), {a, b}};
}

TileFunction buildSoftmax(const SoftmaxKernel &kernel, const SoftmaxSchedule &, const CpuTarget &target) {
  const int lanes = target.lanes;
  ImageParam x(kernel.element, 2, "x");
  allowAnyStride(x);
  const Expr count = x.dim(0).extent(), rows = x.dim(1).extent();

  // Whole vectors go to one partial result per lane; what remains is added element by element.
  Var n("n"), r("r"), l("l");
  Func row("row"), laneLargest("lane_largest"), largest("largest"), weights("weights"), laneSum("lane_sum"),
      sum("sum"), y("y");
  const Expr whole = count / lanes * lanes;
  RDom vectors(0, count / lanes, "vector"), allLanes(0, lanes, "lane"), rest(whole, count - whole, "rest");
  row(n, r) = cast<float>(x(n, r));
  laneLargest(l, r) = lowestScore();
  laneLargest(l, r) = largerOf(laneLargest(l, r), row(vectors * lanes + l, r));
  largest(r) = lowestScore();
  largest(r) = largerOf(largest(r), laneLargest(allLanes, r));
  largest(r) = largerOf(largest(r), row(rest, r));
  weights(n, r) = exp2NonPositive(strictDifference(row(n, r), largest(r)) * float(log2e));
  laneSum(l, r) += weights(vectors * lanes + l, r);
  sum(r) += laneSum(allLanes, r);
  sum(r) += weights(rest, r);
  y(n, r) = cast(kernel.element, quotientOrZero(weights(n, r), sum(r)));
  y.output_buffer().dim(0).set_bounds(0, count);
  y.output_buffer().dim(1).set_bounds(0, rows);

  y.reorder(n, r).vectorize(n, lanes, TailStrategy::GuardWithIf);
  for (Func *stage : {&row, &laneLargest, &largest, &weights, &laneSum, &sum})
    stage->compute_at(y, r);
  row.specialize(x.dim(0).stride() == 1).vectorize(n, lanes, TailStrategy::GuardWithIf);
  weights.vectorize(n, lanes, TailStrategy::GuardWithIf);
  for (Func *stage : {&laneLargest, &laneSum}) {
    stage->vectorize(l, lanes);
    stage->update().reorder(l, vectors).vectorize(l, lanes);
  }
  return {kernel.name, Pipeline(y), {x}};
}

TileFunction buildMap(const MapKernel &kernel, const MapSchedule &, const CpuTarget &target) {
  std::vector<ImageParam> operands;
  std::vector<Var> axes;
  std::vector<Expr> elements;
  std::vector<Argument> arguments;
  for (int axis = 0; axis < kernel.rank; ++axis)
    axes.emplace_back("axis_" + std::to_string(axis));
  std::vector<Expr> scalars;
  for (int n = 0; n < kernel.scalars; ++n) {
    Param<int32_t> scalar("scalar_" + std::to_string(n));
    scalars.push_back(scalar);
    arguments.push_back(scalar);
  }
  Expr allDense = Internal::const_true();
  for (size_t n = 0; n < kernel.operands.size(); ++n) {
    operands.emplace_back(kernel.operands[n], kernel.rank, "operand_" + std::to_string(n));
    allowAnyStride(operands.back());
    elements.push_back(operands.back()(axes));
    arguments.push_back(operands.back());
    allDense = allDense && operands.back().dim(0).stride() == 1;
  }
  Func y("y");
  const std::vector<Expr> within(axes.begin(), axes.end());
  y(axes) = cast(kernel.result,
                 kernel.applyAt ? kernel.applyAt(elements, within, scalars) : kernel.apply(elements));
  for (int axis = 0; axis < kernel.rank; ++axis)
    y.output_buffer().dim(axis).set_min(0);

  const int lanes = target.target.natural_vector_size(Float(32));
  y.specialize(allDense).vectorize(axes[0], lanes, TailStrategy::GuardWithIf);
  // One operand is often the same along the row: a bias, a mask of one column, a scale.
  for (size_t n = 0; n < operands.size() && operands.size() <= 4; ++n) {
    Expr othersDense = operands[n].dim(0).stride() == 0;
    for (size_t other = 0; other < operands.size(); ++other)
      if (other != n)
        othersDense = othersDense && operands[other].dim(0).stride() == 1;
    y.specialize(othersDense).vectorize(axes[0], lanes, TailStrategy::GuardWithIf);
  }
  TileFunction function{kernel.name, Pipeline(y), arguments};
  function.strictFloat = true;
  return function;
}

} // namespace heed::kernels
