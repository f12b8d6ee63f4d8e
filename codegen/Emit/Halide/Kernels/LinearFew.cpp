#include "LinearOperands.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Few rows with inputs in lanes: a register tile of rows × columns sums one vector of inputs after the
/// other, then each sum's lanes. W is read from memory once; the row tiles after the first find their columns
/// in cache.
class FewRowsBuilder {
public:
  FewRowsBuilder(const LinearKernel &kernel, const FewRowsTile &tile, const CpuTarget &target)
      : in(kernel, target), tile(tile), lanes(lanesOf(in.type, target.lanes)) {}

  TileFunction build();

private:
  void define();
  void schedule();

  const LinearOperands in;
  const FewRowsTile &tile;
  const int lanes;

  Var l{"l"}, o{"o"}, r{"r"};
  RDom vectors, rest, lane;
  Func laneSums{"lane_sums"}, sum{"sum"}, result{"result"}, y;
};

void FewRowsBuilder::define() {
  const auto add = [&](const Expr &at) { laneSums(l, o, r) += in.input(at, r) * in.weight(at, o); };
  laneSums(l, o, r) = number(in.type, 0);
  vectors = RDom(0, in.inputs / lanes, "vector");
  add(vectors * lanes + l);
  if (!in.kernel.inputs || *in.kernel.inputs % lanes != 0) {
    const Expr first = in.inputs / lanes * lanes;
    rest = RDom(0, 1, "rest");
    rest.where(l < in.inputs - first);
    add(first + rest + l);
  }
  lane = RDom(0, lanes, "lane");
  sum(o, r) += laneSums(lane, o, r);
  result(o, r) = sum(o, r);
  y = in.output([&](const Expr &column, const Expr &row) { return result(column, row); },
                /*addsBias=*/in.kernel.bias, lanes);
}

void FewRowsBuilder::schedule() {
  Var columnTile("column_tile"), rowTile("row_tile");
  result.compute_root().reorder_storage(o, r);
  result.split(o, columnTile, o, tile.columnTile, TailStrategy::RoundUp);
  result.split(r, rowTile, r, tile.rowTile, TailStrategy::RoundUp);
  result.reorder(o, r, rowTile, columnTile).vectorize(o).unroll(r);
  sum.compute_at(result, rowTile).vectorize(o).unroll(r);
  sum.update().atomic().reorder(lane, o, r).vectorize(lane).unroll(o).unroll(r);
  laneSums.compute_at(result, rowTile).vectorize(l, lanes).unroll(o).unroll(r);
  laneSums.update().reorder(l, o, r, vectors).vectorize(l, lanes).unroll(o).unroll(r);
  if (rest.defined())
    laneSums.update(1).reorder(l, o, r).vectorize(l, lanes).unroll(o).unroll(r);
}

TileFunction FewRowsBuilder::build() {
  define();
  schedule();
  return in.tileFunction(y);
}

} // namespace

TileFunction buildFewRows(const LinearKernel &kernel, const FewRowsTile &tile, const CpuTarget &target) {
  return FewRowsBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
