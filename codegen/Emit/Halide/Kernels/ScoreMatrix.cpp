#include "AttentionOperands.h"
#include "Numerics.h"
#include "Transpose.h"

#include <limits>

using namespace Halide;

namespace heed::kernels {

namespace {

/// Dot products with query rows in lanes, turned; then the program and the weights with keys in lanes, as
/// captures and the matrix lie.
class ScoreMatrixBuilder {
public:
  ScoreMatrixBuilder(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
      : in(kernel, true), tile(tile), lanes(lanesOf(in.accumulator, target.lanes)),
        by(tile.vectors > 1 ? Transpose::By::Square : Transpose::By::Element),
        largest(in.accumulator, 1, "largest"), sum(in.accumulator, 1, "sum") {
    for (ImageParam *statistic : {&largest, &sum})
      statistic->dim(0).set_min(0).set_stride(Expr());
  }

  TileFunction build();

private:
  void defineDots();
  Expr weight(const Expr &score, const Expr &keyIndex, const ElementAt &element) const;
  void defineMatrix();
  void schedule();

  const AttentionOperands in;
  const RowsTile &tile;
  const int lanes;
  const Transpose::By by;
  ImageParam largest, sum;
  OpaqueScalars scalars;

  Var r{"r"}, j{"j"};
  RDom depths;
  Func dot{"dot"}, dots{"dots"}, y{"y"};
  std::optional<Transpose> queries; ///< (row, d)
  std::optional<Transpose> turned;  ///< (key, row)
};

/// Where no row sees any key of the chunk, dot products are left at 0.
void ScoreMatrixBuilder::defineDots() {
  const KeyRange range = in.visibleKeys(in.firstKey + in.keys);
  const Expr depth =
      scalars.derive("depth_if_visible", select(range.end > max(range.first, in.firstKey), in.depth, 0));
  queries.emplace(
      "queries", by, lanes, [&](const Expr &d, const Expr &row) { return in.query(d, row); },
      std::optional(in.depth));
  depths = RDom(0, depth, "depth");
  dot(r, j) += queries->result(r, depths) * in.widened(in.k(depths, min(j, in.keys - 1)));
  dots(r, j) = dot(r, j);
  turned.emplace("turned", by, lanes, [&](const Expr &row, const Expr &key) { return dots(row, key); });
}

Expr ScoreMatrixBuilder::weight(const Expr &score, const Expr &keyIndex, const ElementAt &element) const {
  const Expr relative = exp2NonPositive(strictDifference(score, largest(r)) * in.unit);
  const Expr zero = number(in.accumulator, 0);
  // A hidden pair has weight 0 also in a row whose sum is NaN.
  const Expr share = choose(isHidden(score), zero, strict_float(relative / sum(r)));
  const Expr empty =
      in.kernel.nanForEmpty ? number(in.accumulator, std::numeric_limits<double>::quiet_NaN()) : zero;
  const Expr weight = choose(strict_float(sum(r) == zero), empty, share);
  return in.kernel.program.weigh ? in.weighed(weight, r, keyIndex, element) : weight;
}

void ScoreMatrixBuilder::defineMatrix() {
  const Expr keyIndex = scalars.hide(in.firstKey + j);
  const ElementAt element = in.elementsAt(r, j);
  const Expr score = in.score(turned->result(j, r), r, keyIndex, element);
  y(j, r) = cast(in.kernel.types.output, in.kernel.statistics ? weight(score, keyIndex, element) : score);
  y.output_buffer().dim(0).set_bounds(0, in.keys);
  y.output_buffer().dim(1).set_bounds(0, in.rows);
}

void ScoreMatrixBuilder::schedule() {
  Var rv("rv"), jo("jo");
  queries->schedule(LoopLevel::root());
  dots.compute_root().bound(r, 0, tile.queryBlock).align_bounds(j, tile.keyTile);
  dots.split(r, rv, r, lanes * tile.vectors).split(j, jo, j, tile.keyTile, TailStrategy::RoundUp);
  dots.reorder(r, j, rv, jo).vectorize(r, lanes).unroll(r).unroll(j);
  dot.compute_at(dots, rv).vectorize(r, lanes).unroll(r).unroll(j);
  dot.update().reorder(r, j, depths).vectorize(r, lanes).unroll(r).unroll(j);
  if (by == Transpose::By::Square)
    turned->schedule(LoopLevel::root());
  y.reorder(j, r).vectorize(j, lanes, TailStrategy::GuardWithIf);
}

TileFunction ScoreMatrixBuilder::build() {
  defineDots();
  defineMatrix();
  schedule();
  std::vector<Argument> arguments = in.scalarArguments(true);
  arguments.push_back(in.q);
  arguments.push_back(in.k);
  in.appendCaptures(arguments);
  if (in.kernel.statistics) {
    arguments.push_back(largest);
    arguments.push_back(sum);
  }
  return {in.kernel.name, Pipeline(y), arguments, scalars};
}

} // namespace

TileFunction buildScoreMatrix(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target) {
  return ScoreMatrixBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
