#include "Linear.h"

#include "Numerics.h"
#include "Transpose.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class LinearBuilder {
public:
  LinearBuilder(const LinearKernel &kernel, const LinearTile &tile, const CpuTarget &target)
      : kernel(kernel), tile(tile), type(accumulatorOf(kernel.element)), lanes(lanesOf(type, target.lanes)),
        x(kernel.element, 2, "x"), w(kernel.element, kernel.headDepth ? 3 : 2, "w"),
        bias(kernel.element, kernel.headDepth ? 2 : 1, "bias"), epilogue(kernel.epilogue),
        by(tile.vectors > 1 ? Transpose::By::Square : Transpose::By::Element) {}

  TileFunction build();

private:
  void define();
  void defineOutput();
  void schedule();
  Expr weight(const Expr &input, const Expr &column) const;
  Expr biasOf(const Expr &column) const;

  const LinearKernel &kernel;
  const LinearTile &tile;
  const Type type;
  const int lanes;

  ImageParam x, w, bias;
  const EpilogueArguments epilogue;
  const Transpose::By by;
  Expr rows, columns, inputs;

  Var r{"r"}, o{"o"}, d{"d"}, h{"h"}, chunk{"chunk"};
  RDom chunks, depths;
  std::optional<Transpose> rowsOfX;  ///< (row, input)
  std::optional<Transpose> finished; ///< (column, row)
  Func partial{"partial"}, result{"result"}, y{"y"};
};

Expr LinearBuilder::weight(const Expr &input, const Expr &column) const {
  if (!kernel.headDepth)
    return cast(type, w(input, column));
  const int depth = int(*kernel.headDepth);
  return cast(type, w(input, column % depth, column / depth));
}

Expr LinearBuilder::biasOf(const Expr &column) const {
  if (!kernel.headDepth)
    return cast(type, bias(column));
  const int depth = int(*kernel.headDepth);
  return cast(type, bias(column % depth, column / depth));
}

void LinearBuilder::define() {
  rows = x.dim(1).extent();
  columns = kernel.headDepth ? w.dim(2).extent() * int(*kernel.headDepth) : w.dim(1).extent();
  inputs = kernel.inputs ? Expr(int32_t(*kernel.inputs)) : x.dim(0).extent();
  for (ImageParam *operand : {&x, &w, &bias})
    for (int axis = 0; axis < operand->dimensions(); ++axis)
      operand->dim(axis).set_min(0);

  const bool whole = kernel.inputs && *kernel.inputs % lanes == 0;
  rowsOfX.emplace(
      "rows_of_x", by, lanes,
      [&](const Expr &input, const Expr &row) { return cast(type, x(input, min(row, rows - 1))); },
      whole ? std::nullopt : std::optional(inputs));
  depths = RDom(0, tile.depthChunk, "depth");
  depths.where(depths < inputs - chunk * tile.depthChunk);
  const Expr at = chunk * tile.depthChunk + depths;
  partial(r, o, chunk) += rowsOfX->result(r, at) * weight(at, min(o, columns - 1));
  chunks = RDom(0, (inputs + tile.depthChunk - 1) / tile.depthChunk, "chunk");
  result(r, o) = kernel.bias ? biasOf(min(o, columns - 1)) : number(type, 0);
  result(r, o) += partial(r, o, chunks);
  finished.emplace("finished", by, lanes, [&](const Expr &row, const Expr &column) {
    const Expr value = result(row, min(column, columns - 1));
    return kernel.epilogue.apply ? value : cast(kernel.element, value);
  });
  defineOutput();
}

void LinearBuilder::defineOutput() {
  if (kernel.headDepth) {
    const int depth = int(*kernel.headDepth);
    y(d, h, r) = cast(kernel.element, finished->result(h * depth + d, r));
    y.output_buffer().dim(0).set_bounds(0, depth);
    y.output_buffer().dim(1).set_bounds(0, w.dim(2).extent());
    y.output_buffer().dim(2).set_bounds(0, rows);
    y.reorder(d, h, r).vectorize(d, lanes, TailStrategy::GuardWithIf);
    return;
  }
  y(o, r) = cast(kernel.element, epilogue.apply(finished->result(o, r), o, r));
  y.output_buffer().dim(0).set_bounds(0, columns);
  y.output_buffer().dim(1).set_bounds(0, rows);
  y.reorder(o, r).vectorize(o, lanes, TailStrategy::GuardWithIf);
}

void LinearBuilder::schedule() {
  const int rowsPerTile = lanes * tile.vectors;
  Var rv("rv"), ov("ov");
  if (by == Transpose::By::Square)
    finished->schedule(LoopLevel::root());
  result.compute_root().bound(r, 0, tile.rowBlock).align_bounds(o, tile.columnTile);
  result.reorder(r, o).vectorize(r, lanes);
  result.update().split(r, rv, r, rowsPerTile).split(o, ov, o, tile.columnTile).reorder(r, o, rv, ov, chunks);
  result.update().vectorize(r, lanes).unroll(r).unroll(o);
  rowsOfX->schedule(LoopLevel(result, RVar(chunks.x)));
  partial.compute_at(result, rv).vectorize(r, lanes).unroll(r).unroll(o);
  partial.update().reorder(r, o, depths).vectorize(r, lanes).unroll(r).unroll(o);
}

TileFunction LinearBuilder::build() {
  define();
  schedule();
  std::vector<Argument> arguments = {x, w};
  if (kernel.bias)
    arguments.push_back(bias);
  return {kernel.name, Pipeline(y), epilogue.around(arguments)};
}

} // namespace

TileFunction buildLinear(const LinearKernel &kernel, const LinearTile &tile, const CpuTarget &target) {
  return LinearBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
