#include "General.h"

#include "Numerics.h"
#include "Table.h"
#include "VectorMath.h"

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
  const Type type = accumulatorOf(kernel.types.left);
  const int lanes = lanesOf(type, target.lanes);
  ImageParam a(kernel.types.left, 2, "a"), b(kernel.types.right, 2, "b");
  allowAnyStride(a);
  allowAnyStride(b);
  const Expr depth = a.dim(0).extent(), rows = a.dim(1).extent(), columns = b.dim(0).extent();

  Var c("c"), r("r"), k("k"), co("co"), ro("ro");
  RDom depths(0, depth, "depth");
  Func packed("packed"), sum("sum"), product("product"), y("y");
  packed(c, k) = cast(type, b(min(c, columns - 1), k));
  sum(c, r) += packed(c, depths) * cast(type, a(depths, min(r, rows - 1)));
  product(c, r) = sum(c, r);
  y(c, r) = cast(kernel.types.result, product(c, r));
  y.output_buffer().dim(0).set_bounds(0, columns);
  y.output_buffer().dim(1).set_bounds(0, rows);

  const int columnTile = 2 * lanes, rowTile = 4;
  y.reorder(c, r).vectorize(c, lanes, TailStrategy::GuardWithIf);
  product.compute_root()
      .split(c, co, c, columnTile, TailStrategy::RoundUp)
      .split(r, ro, r, rowTile, TailStrategy::RoundUp);
  product.reorder(c, r, ro, co).vectorize(c, lanes).unroll(c).unroll(r);
  sum.compute_at(product, ro).vectorize(c, lanes).unroll(c).unroll(r);
  sum.update().reorder(c, r, depths).vectorize(c, lanes).unroll(c).unroll(r);
  packed.compute_at(product, co);
  return {kernel.name, Pipeline(y), {a, b}};
}

static bool isTable(const MapKernel &kernel, size_t operand) {
  return operand < kernel.tables.size() && kernel.tables[operand] >= 0;
}

TileFunction buildMap(const MapKernel &kernel, const MapSchedule &, const CpuTarget &target) {
  std::vector<ImageParam> operands;
  std::vector<Var> axes;
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
    const int rank = isTable(kernel, n) ? kernel.tables[n] : kernel.rank;
    operands.emplace_back(kernel.operands[n], rank, "operand_" + std::to_string(n));
    allowAnyStride(operands.back());
    arguments.push_back(operands.back());
    if (!isTable(kernel, n))
      allDense = allDense && operands.back().dim(0).stride() == 1;
  }
  const OperandAt element = [&](size_t n, const std::vector<Expr> &indices) -> Expr {
    return isTable(kernel, n) ? tableElement(operands[n], indices) : operands[n](axes);
  };
  Func y("y");
  const std::vector<Expr> within(axes.begin(), axes.end());
  y(axes) = cast(kernel.result, useVectorMath(kernel.apply(element, within, scalars)));
  for (int axis = 0; axis < kernel.rank; ++axis)
    y.output_buffer().dim(axis).set_min(0);

  const int lanes = target.target.natural_vector_size(Float(32));
  y.specialize(allDense).vectorize(axes[0], lanes, TailStrategy::GuardWithIf);
  // One operand is often the same along the row: a bias, a mask of one column, a scale.
  for (size_t n = 0; n < operands.size() && operands.size() <= 4; ++n) {
    if (isTable(kernel, n))
      continue;
    Expr othersDense = operands[n].dim(0).stride() == 0;
    for (size_t other = 0; other < operands.size(); ++other)
      if (other != n && !isTable(kernel, other))
        othersDense = othersDense && operands[other].dim(0).stride() == 1;
    y.specialize(othersDense).vectorize(axes[0], lanes, TailStrategy::GuardWithIf);
  }
  TileFunction function{kernel.name, Pipeline(y), arguments};
  function.strictFloat = true;
  return function;
}

} // namespace heed::kernels
