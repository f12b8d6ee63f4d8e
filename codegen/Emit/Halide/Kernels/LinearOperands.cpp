#include "LinearOperands.h"

#include "Numerics.h"
#include "PairDots.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// An operand with the type of its elements, as which it may not be read.
Argument argumentOf(const ImageParam &operand, const Type &element) {
  return Argument(operand.name(), Argument::InputBuffer, element, operand.dimensions(), {});
}

} // namespace

LinearOperands::LinearOperands(const LinearKernel &kernel, const CpuTarget &target)
    : kernel(kernel), type(accumulatorOf(kernel.types.x)),
      inPairs(target.dotsBf16 && kernel.types.x == BFloat(16) && kernel.types.w == BFloat(16)),
      perProduct(inPairs ? 2 : 1), x(inPairs ? UInt(16) : kernel.types.x, 2, "x"),
      w(inPairs ? UInt(16) : kernel.types.w, kernel.headDepth ? 3 : 2, "w"),
      bias(kernel.types.bias, kernel.headDepth ? 2 : 1, "bias"), epilogue(kernel.epilogue) {
  for (ImageParam *operand : {&x, &w, &bias})
    for (int axis = 0; axis < operand->dimensions(); ++axis)
      operand->dim(axis).set_min(0);
  rows = x.dim(1).extent();
  columns = kernel.headDepth ? w.dim(2).extent() * int(*kernel.headDepth) : w.dim(1).extent();
  inputs = kernel.inputs ? Expr(int32_t(*kernel.inputs)) : x.dim(0).extent();
}

Expr LinearOperands::widened(const Expr &element) const {
  return cast(type, inPairs ? reinterpret(BFloat(16), element) : element);
}

Expr LinearOperands::input(const Expr &input, const Expr &row) const {
  return widened(x(input, min(row, rows - 1)));
}

Expr LinearOperands::weightElement(const Expr &input, const Expr &column) const {
  const Expr known = min(column, columns - 1);
  if (!kernel.headDepth)
    return w(input, known);
  const int depth = int(*kernel.headDepth);
  return w(input, known % depth, known / depth);
}

Expr LinearOperands::weight(const Expr &input, const Expr &column) const {
  return widened(weightElement(input, column));
}

Expr LinearOperands::inputPair(const Expr &pair, const Expr &row) const {
  const Expr known = min(row, rows - 1);
  return concat_bits({x(2 * pair, known), x(2 * pair + 1, known)});
}

Expr LinearOperands::weightPair(const Expr &pair, const Expr &column) const {
  return concat_bits({weightElement(2 * pair, column), weightElement(2 * pair + 1, column)});
}

Expr LinearOperands::product(const Expr &at, const Expr &row, const Expr &column) const {
  return inPairs ? pairDot(inputPair(at, row), weightPair(at, column)) : input(at, row) * weight(at, column);
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
  std::vector<Argument> arguments = {argumentOf(x, kernel.types.x), argumentOf(w, kernel.types.w)};
  if (kernel.bias)
    arguments.push_back(bias);
  return {kernel.name, Pipeline(y), epilogue.around(arguments)};
}

} // namespace heed::kernels
