#include "LinearOperands.h"
#include "Numerics.h"
#include "Transpose.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class LinearBuilder {
public:
  LinearBuilder(const LinearKernel &kernel, const LinearTile &tile, const CpuTarget &target)
      : in(kernel), tile(tile), lanes(lanesOf(in.type, target.lanes)),
        by(tile.vectors > 1 ? Transpose::By::Square : Transpose::By::Element) {}

  TileFunction build();

private:
  void define();
  void schedule();

  const LinearOperands in;
  const LinearTile &tile;
  const int lanes;
  const Transpose::By by;

  Var r{"r"}, o{"o"}, chunk{"chunk"};
  RDom chunks, depths;
  std::optional<Transpose> rowsOfX;  ///< (row, input)
  std::optional<Transpose> finished; ///< (column, row)
  Func partial{"partial"}, result{"result"}, y;
};

void LinearBuilder::define() {
  const LinearKernel &kernel = in.kernel;
  const bool whole = kernel.inputs && *kernel.inputs % lanes == 0;
  rowsOfX.emplace(
      "rows_of_x", by, lanes, [&](const Expr &input, const Expr &row) { return in.input(input, row); },
      whole ? std::nullopt : std::optional(in.inputs));
  depths = RDom(0, tile.depthChunk, "depth");
  depths.where(depths < in.inputs - chunk * tile.depthChunk);
  const Expr at = chunk * tile.depthChunk + depths;
  partial(r, o, chunk) += rowsOfX->result(r, at) * in.weight(at, o);
  chunks = RDom(0, (in.inputs + tile.depthChunk - 1) / tile.depthChunk, "chunk");
  result(r, o) = kernel.bias ? in.biasAt(o) : number(in.type, 0);
  result(r, o) += partial(r, o, chunks);
  finished.emplace("finished", by, lanes, [&](const Expr &row, const Expr &column) {
    const Expr value = result(row, min(column, in.columns - 1));
    return kernel.epilogue.apply ? value : cast(kernel.types.output, value);
  });
  y = in.output([&](const Expr &column, const Expr &row) { return finished->result(column, row); },
                /*addsBias=*/false, lanes);
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
  return in.tileFunction(y);
}

} // namespace

TileFunction buildLinear(const LinearKernel &kernel, const LinearTile &tile, const CpuTarget &target) {
  return LinearBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
