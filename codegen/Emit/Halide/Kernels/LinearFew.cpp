#include "LinearOperands.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Sums with inputs in lanes: of some vectors of inputs side by side, then of their lanes.
struct LaneSums {
  explicit LaneSums(int vectors) : vectors(vectors) {}

  void define(const LinearOperands &in, int lanes);
  void schedule(int lanes, int rowTile, int columnTile);

  const int vectors; ///< that are summed apart, so that no sum waits for another
  Var l{"l"}, n{"n"}, o{"o"}, r{"r"};
  RDom steps, rest, lane, last;
  Func laneSums{"lane_sums"}, sum{"sum"}, result{"result"};
};

void LaneSums::define(const LinearOperands &in, int lanes) {
  const int step = vectors * lanes;
  const Expr products = in.inputs / in.perProduct;
  const auto add = [&](const Expr &at) { laneSums(l, n, o, r) += in.product(at, r, o); };
  laneSums(l, n, o, r) = number(in.type, 0);
  steps = RDom(0, products / step, "step");
  add(steps * step + n * lanes + l);
  if (!in.isMultiple(step * in.perProduct)) {
    const Expr first = products / step * step;
    rest = RDom(0, 1, "rest");
    rest.where(n * lanes + l < products - first);
    add(first + rest + n * lanes + l);
  }
  lane = RDom(0, lanes, "lane");
  Expr total = laneSums(lane, 0, o, r);
  for (int vector = 1; vector < vectors; ++vector)
    total += laneSums(lane, vector, o, r);
  sum(o, r) += total;
  if (!in.isMultiple(in.perProduct)) { // where inputs go in pairs, one may remain
    last = RDom(0, in.inputs % in.perProduct, "last");
    sum(o, r) += in.input(in.inputs - 1 + last, r) * in.weight(in.inputs - 1 + last, o);
  }
  result(o, r) = sum(o, r);
}

void LaneSums::schedule(int lanes, int rowTile, int columnTile) {
  Var columns("column_tile"), rows("row_tile");
  result.compute_root().reorder_storage(o, r);
  result.split(o, columns, o, columnTile, TailStrategy::RoundUp);
  result.split(r, rows, r, rowTile, TailStrategy::RoundUp);
  result.reorder(o, r, rows, columns).vectorize(o).unroll(r);
  sum.compute_at(result, rows).vectorize(o).unroll(r);
  sum.update().atomic().reorder(lane, o, r).vectorize(lane).unroll(o).unroll(r);
  if (last.defined())
    sum.update(1).reorder(o, r, last).unroll(o).unroll(r);
  laneSums.compute_at(result, rows).bound(n, 0, vectors).vectorize(l, lanes);
  laneSums.unroll(n).unroll(o).unroll(r);
  laneSums.update().reorder(l, n, o, r, steps).vectorize(l, lanes).unroll(n).unroll(o).unroll(r);
  if (rest.defined())
    laneSums.update(1).reorder(l, n, o, r).vectorize(l, lanes).unroll(n).unroll(o).unroll(r);
}

/// Few rows with inputs in lanes: a register tile of rows × columns sums one vector of inputs after the
/// other, then each sum's lanes. W is read from memory once; the row tiles after the first find their columns
/// in cache. A single row needs no tile to use a column again: it reads W front to back, as memory likes it.
class FewRowsBuilder {
public:
  FewRowsBuilder(const LinearKernel &kernel, const FewRowsTile &tile, const CpuTarget &target)
      : in(kernel, target), tile(tile), lanes(lanesOf(in.type, target.lanes)), single(singleVectors()),
        several(1) {}

  TileFunction build();

private:
  /// As many as hide the latency of a sum, unless the inputs are few.
  int singleVectors() const {
    int vectors = 8;
    while (vectors > 1 && in.kernel.inputs.value_or(512) < 4 * vectors * lanes * in.perProduct)
      vectors /= 2;
    return vectors;
  }

  const LinearOperands in;
  const FewRowsTile &tile;
  const int lanes;
  LaneSums single, several;
};

TileFunction FewRowsBuilder::build() {
  for (LaneSums *sums : {&single, &several})
    sums->define(in, lanes);
  single.schedule(lanes, 1, 1);
  several.schedule(lanes, tile.rowTile, tile.columnTile);
  // Halide computes only the one of the two that is used.
  const auto sum = [&](const Expr &column, const Expr &row) {
    return select(in.rows == 1, single.result(column, 0), several.result(column, row));
  };
  return in.tileFunction(in.output(sum, /*addsBias=*/in.kernel.bias, lanes));
}

} // namespace

TileFunction buildFewRows(const LinearKernel &kernel, const FewRowsTile &tile, const CpuTarget &target) {
  return FewRowsBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
