#include "LinearOperands.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

LinearOperands::LinearOperands(const LinearKernel &kernel)
    : kernel(kernel), type(accumulatorOf(kernel.types.x)), x(kernel.types.x, 2, "x"),
      w(kernel.types.w, kernel.headDepth ? 3 : 2, "w"),
      bias(kernel.types.bias, kernel.headDepth ? 2 : 1, "bias"), epilogue(kernel.epilogue) {
  for (ImageParam *operand : {&x, &w, &bias})
    for (int axis = 0; axis < operand->dimensions(); ++axis)
      operand->dim(axis).set_min(0);
  rows = x.dim(1).extent();
  columns = kernel.headDepth ? w.dim(2).extent() * int(*kernel.headDepth) : w.dim(1).extent();
  inputs = kernel.inputs ? Expr(int32_t(*kernel.inputs)) : x.dim(0).extent();
}

Expr LinearOperands::input(const Expr &input, const Expr &row) const {
  return cast(type, x(input, min(row, rows - 1)));
}

Expr LinearOperands::weight(const Expr &input, const Expr &column) const {
  const Expr known = min(column, columns - 1);
  if (!kernel.headDepth)
    return cast(type, w(input, known));
  const int depth = int(*kernel.headDepth);
  return cast(type, w(input, known % depth, known / depth));
}

Expr LinearOperands::biasAt(const Expr &column) const {
  const Expr known = min(column, columns - 1);
  if (!kernel.headDepth)
    return cast(type, bias(known));
  const int depth = int(*kernel.headDepth);
  return cast(type, bias(known % depth, known / depth));
}

Func LinearOperands::output(const std::function<Expr(const Expr &, const Expr &)> &sum, bool addsBias,
                            int lanes) const {
  Var d("d"), h("h"), o("o"), r("r");
  Func y("y");
  if (kernel.headDepth) {
    const int depth = int(*kernel.headDepth);
    const Expr value = sum(h * depth + d, r);
    y(d, h, r) = cast(kernel.types.output, addsBias ? value + cast(type, bias(d, h)) : value);
    y.output_buffer().dim(0).set_bounds(0, depth);
    y.output_buffer().dim(1).set_bounds(0, w.dim(2).extent());
    y.output_buffer().dim(2).set_bounds(0, rows);
    y.reorder(d, h, r).vectorize(d, lanes, TailStrategy::GuardWithIf);
    return y;
  }
  const Expr value = sum(o, r);
  y(o, r) = cast(kernel.types.output, epilogue.apply(addsBias ? value + cast(type, bias(o)) : value, o, r));
  y.output_buffer().dim(0).set_bounds(0, columns);
  y.output_buffer().dim(1).set_bounds(0, rows);
  y.reorder(o, r).vectorize(o, lanes, TailStrategy::GuardWithIf);
  return y;
}

TileFunction LinearOperands::tileFunction(const Func &y) const {
  std::vector<Argument> arguments = {x, w};
  if (kernel.bias)
    arguments.push_back(bias);
  return {kernel.name, Pipeline(y), epilogue.around(arguments)};
}

} // namespace heed::kernels
