#include "LinearOperands.h"
#include "Numerics.h"
#include "PairDots.h"
#include "Transpose.h"

using namespace Halide;

namespace heed::kernels {

namespace {

class LinearBuilder {
public:
  LinearBuilder(const LinearKernel &kernel, const LinearTile &tile, const CpuTarget &target)
      : in(kernel, target), tile(tile), lanes(lanesOf(in.type, target.lanes)),
        convertsWeights(!in.inPairs && kernel.types.w != in.type),
        by(tile.vectors > 1 ? Transpose::By::Square : Transpose::By::Element) {}

  TileFunction build();

private:
  Expr product(const Expr &row, const Expr &at, const Expr &column) const;
  void define();
  void addLastInput();
  void schedule();
  void scheduleFinished();

  const LinearOperands in;
  const LinearTile &tile;
  const int lanes;
  const bool convertsWeights;
  const Transpose::By by;

  Var i{"i"}, r{"r"}, o{"o"}, chunk{"chunk"};
  RDom chunks, depths, last;
  std::optional<Transpose> rowsOfX;  ///< (row, input or pair of inputs)
  std::optional<Transpose> finished; ///< (column, row)
  Func weights{"weights"}, lastOfX{"last_of_x"}, partial{"partial"}, result{"result"}, y;
};

Expr LinearBuilder::product(const Expr &row, const Expr &at, const Expr &column) const {
  const Expr x = rowsOfX->result(row, at);
  if (in.inPairs)
    return pairDot(x, in.weightPair(at, column));
  return x * (convertsWeights ? weights(at, column) : in.weight(at, column));
}

/// Where inputs go in pairs, one may remain.
void LinearBuilder::addLastInput() {
  lastOfX(r) = in.input(in.inputs - 1, r);
  last = RDom(0, in.inputs % in.perProduct, "last");
  result(r, o) += lastOfX(r) * in.weight(in.inputs - 1 + last, o);
}

void LinearBuilder::define() {
  const Expr steps = in.inputs / in.perProduct;
  const int stepsPerChunk = std::max(tile.depthChunk / in.perProduct, 1);
  rowsOfX.emplace(
      "rows_of_x", by, lanes,
      [&](const Expr &at, const Expr &row) { return in.inPairs ? in.inputPair(at, row) : in.input(at, row); },
      in.isMultiple(lanes * in.perProduct) ? std::nullopt : std::optional(steps));
  if (convertsWeights)
    weights(i, o) = in.weight(i, o);
  depths = RDom(0, stepsPerChunk, "depth");
  depths.where(depths < steps - chunk * stepsPerChunk);
  partial(r, o, chunk) += product(r, chunk * stepsPerChunk + depths, o);
  chunks = RDom(0, (steps + stepsPerChunk - 1) / stepsPerChunk, "chunk");
  result(r, o) = in.kernel.bias ? in.biasAt(o) : number(in.type, 0);
  result(r, o) += partial(r, o, chunks);
  if (!in.isMultiple(in.perProduct))
    addLastInput();
  finished.emplace("finished", by, lanes, [&](const Expr &row, const Expr &column) {
    return result(row, min(column, in.columns - 1));
  });
  y = in.output([&](const Expr &column, const Expr &row) { return finished->result(column, row); },
                /*addsBias=*/false, lanes);
}

void LinearBuilder::schedule() {
  const int rowsPerTile = lanes * tile.vectors;
  Var rv("rv"), ov("ov");
  if (by == Transpose::By::Square)
    scheduleFinished();
  result.compute_root().bound(r, 0, tile.rowBlock).align_bounds(o, tile.columnTile);
  result.reorder(r, o).vectorize(r, lanes);
  result.update().split(r, rv, r, rowsPerTile).split(o, ov, o, tile.columnTile).reorder(r, o, rv, ov, chunks);
  result.update().vectorize(r, lanes).unroll(r).unroll(o);
  if (last.defined()) {
    result.update(1).reorder(r, o, last).vectorize(r, lanes);
    lastOfX.compute_at(result, last.x).vectorize(r, lanes);
  }
  rowsOfX->schedule(LoopLevel(result, RVar(chunks.x)));
  // In the first cache, for all rows of the tile.
  if (convertsWeights)
    weights.compute_at(result, ov).vectorize(i, lanes, TailStrategy::GuardWithIf);
  partial.compute_at(result, rv).vectorize(r, lanes).unroll(r).unroll(o);
  partial.update().reorder(r, o, depths).vectorize(r, lanes).unroll(r).unroll(o);
}

/// Few rows at a time, which stay in the first cache until they are stored.
void LinearBuilder::scheduleFinished() {
  const Var row = y.args().back();
  Var rows("rows");
  y.split(row, rows, row, lanes, TailStrategy::GuardWithIf);
  finished->schedule(LoopLevel(y, rows));
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
