#include "AttentionOperands.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Few query rows against one chunk of keys: depth in lanes for the scores, keys in lanes for the weights,
/// value columns in lanes for the output. Every row of K and V is read once, front to back.
class DepthPartBuilder {
public:
  DepthPartBuilder(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target)
      : in(kernel), rows(rows), keyChunk(keyChunk), lanes(target.lanes), depthLanes(widthFor(kernel.depth)),
        valueLanes(widthFor(kernel.valueDepth)) {}

  TileFunction build();

private:
  void defineScores();
  void defineWeights();
  void defineParts();
  void scheduleScores();
  void scheduleParts();

  /// The widest vector that divides the extent; a whole one, with predicates, where even a quarter doesn't.
  int widthFor(const std::optional<int64_t> &extent) const {
    for (int width = lanes; extent && width >= std::max(4, lanes / 4); width /= 2)
      if (*extent % width == 0)
        return width;
    return lanes;
  }
  static bool isWhole(const std::optional<int64_t> &extent, int width) {
    return extent && *extent % width == 0;
  }

  const AttentionOperands in;
  const int rows, keyChunk, lanes;
  const int depthLanes, valueLanes; ///< vector widths along d and e
  Expr first, keyCount;             // the visible keys of the chunk are [first, first + keyCount)

  Var r{"r"}, j{"j"}, x{"x"}, d{"d"}, l{"l"};
  RDom depths, depthLane, lane, maxVectors, sumVectors, valueKeys;
  OpaqueScalars scalars;
  Func queries{"queries"}, products{"products"}, dot{"dot"}, scores{"scores"}, laneLargest{"lane_largest"},
      laneSum{"lane_sum"}, largest{"largest"}, weights{"weights"}, sum{"sum"}, partial{"partial"},
      product{"product"}, partOutput{"part_output"}, partLargest{"part_largest"}, partSum{"part_sum"};
};

void DepthPartBuilder::defineScores() {
  const KeyRange range = in.visibleKeys(in.firstKey + in.keys);
  first = scalars.derive("first_visible", clamp(range.first - in.firstKey, 0, in.keys));
  keyCount = scalars.derive("visible_keys", clamp(range.end - in.firstKey, first, in.keys) - first);

  queries(d, r) = in.query(isWhole(in.kernel.depth, depthLanes) ? Expr(d) : min(d, in.depth - 1), r);
  depths = RDom(0, (in.depth + depthLanes - 1) / depthLanes, "depth");
  const Expr at = depths * depthLanes + l;
  if (!isWhole(in.kernel.depth, depthLanes))
    depths.where(at < in.depth);
  const Expr key = min(first + j, in.keys - 1);
  products(l, r, j) += queries(at, r) * cast<float>(in.k(at, key));
  depthLane = RDom(0, depthLanes, "depth_lane");
  dot(r, j) += products(depthLane, r, j);
  // Past the last key the vectors of scores are filled up with hidden ones.
  const Expr row = min(r, in.rows - 1);
  const Expr score = in.score(dot(r, j), row, in.firstKey + first + j, in.elements(row, key));
  scores(j, r) = hideUnless(j < keyCount, score);
}

void DepthPartBuilder::defineWeights() {
  const Expr vectors = (keyCount + lanes - 1) / lanes;
  lane = RDom(0, lanes, "lane");
  maxVectors = RDom(0, vectors, "max_vector");
  laneLargest(l, r) = lowestScore();
  laneLargest(l, r) = largerOf(laneLargest(l, r), scores(maxVectors * lanes + l, r));
  largest(r) = lowestScore();
  largest(r) = largerOf(largest(r), laneLargest(lane, r));
  weights(j, r) = exp2NonPositive(strictDifference(scores(j, r), largest(r)) * in.unit);
  sumVectors = RDom(0, vectors, "sum_vector");
  laneSum(l, r) += weights(sumVectors * lanes + l, r);
  sum(r) += laneSum(lane, r);
}

void DepthPartBuilder::defineParts() {
  valueKeys = RDom(0, keyCount, "value_key");
  if (!isWhole(in.kernel.valueDepth, valueLanes))
    valueKeys.where(x < in.valueDepth);
  if (in.changesScore || in.mayHide) // 0 · v would be NaN where v is not finite
    valueKeys.where(reinterpret<int32_t>(scores(valueKeys, r)) != int32_t(0xff800000));
  partial(x, r) += weights(valueKeys, r) * cast<float>(in.v(x, first + valueKeys));
  product(x, r) = partial(x, r);
  partOutput(x, r) = product(x, r);
  partLargest(r) = largest(r);
  partSum(r) = sum(r);
  partOutput.output_buffer().dim(0).set_bounds(0, in.valueDepth);
  partOutput.output_buffer().dim(1).set_bounds(0, in.rows);
  for (Func *part : {&partLargest, &partSum})
    part->output_buffer().dim(0).set_bounds(0, in.rows);
}

void DepthPartBuilder::scheduleScores() {
  Var jo("jo");
  queries.compute_root().bound(r, 0, rows);
  scores.compute_root().bound(r, 0, rows).split(j, jo, j, lanes, TailStrategy::RoundUp);
  scores.reorder(j, r, jo).vectorize(j).unroll(r);
  dot.compute_at(scores, jo).reorder(r, j).unroll(r);
  dot.update().atomic().reorder(depthLane, r, j).vectorize(depthLane).unroll(r);
  products.compute_at(dot, j).vectorize(l, depthLanes).unroll(r);
  products.update().reorder(l, r, depths).vectorize(l, depthLanes).unroll(r);
  if (isWhole(in.kernel.depth, depthLanes) && *in.kernel.depth <= 256)
    products.update().unroll(depths);
  for (Func *stage : {&laneLargest, &laneSum}) {
    stage->compute_root().bound(r, 0, rows).vectorize(l, lanes);
    stage->update().reorder(l, r).vectorize(l, lanes).unroll(r);
  }
  largest.compute_root().bound(r, 0, rows);
  weights.compute_root().bound(r, 0, rows).reorder(j, r).vectorize(j, lanes, TailStrategy::RoundUp);
  sum.compute_root().bound(r, 0, rows);
}

void DepthPartBuilder::scheduleParts() {
  Var xo("xo");
  int vectors = 4;
  if (isWhole(in.kernel.valueDepth, valueLanes)) // no vector may reach past the values
    for (vectors = 8; *in.kernel.valueDepth % (vectors * valueLanes) != 0;)
      --vectors;
  product.compute_root().bound(r, 0, rows).split(x, xo, x, vectors * valueLanes, TailStrategy::RoundUp);
  product.reorder(x, r, xo).vectorize(x, valueLanes).unroll(x).unroll(r);
  partial.compute_at(product, xo).vectorize(x, valueLanes).unroll(x).unroll(r);
  partial.update().reorder(x, r, valueKeys).vectorize(x, valueLanes).unroll(x).unroll(r);
  partOutput.reorder(x, r).vectorize(x, valueLanes, TailStrategy::GuardWithIf);
}

TileFunction DepthPartBuilder::build() {
  defineScores();
  defineWeights();
  defineParts();
  scheduleScores();
  scheduleParts();
  return {in.kernel.name, Pipeline({partOutput, partLargest, partSum}), in.arguments(true), scalars};
}

} // namespace

TileFunction buildDepthPart(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target) {
  return DepthPartBuilder(kernel, rows, keyChunk, target).build();
}

TileFunction buildDepthMerge(const AttentionKernel &kernel, int rows, const CpuTarget &target) {
  const AttentionOperands in(kernel);
  ImageParam partOutput(Float(32), 3, "part_output"), partLargest(Float(32), 2, "part_largest"),
      partSum(Float(32), 2, "part_sum");
  for (ImageParam *part : {&partOutput, &partLargest, &partSum})
    for (int axis = 0; axis < part->dimensions(); ++axis)
      part->dim(axis).set_min(0);
  const Expr chunks = partLargest.dim(1).extent();
  const Expr rowCount = partLargest.dim(0).extent();
  const Expr valueDepth = kernel.valueDepth ? Expr(int32_t(*kernel.valueDepth)) : partOutput.dim(0).extent();

  Var x("x"), r("r"), c("c");
  Func largest("largest"), share("share"), sum("sum"), total("total"), out("out");
  RDom maxChunks(0, chunks, "max_chunk"), sumChunks(0, chunks, "sum_chunk"),
      outChunks(0, chunks, "out_chunk");
  largest(r) = lowestScore();
  largest(r) = largerOf(largest(r), partLargest(r, maxChunks));
  share(r, c) = exp2NonPositive(strictDifference(partLargest(r, c), largest(r)) * in.unit);
  sum(r) += share(r, sumChunks) * partSum(r, sumChunks);
  outChunks.where(x < valueDepth);
  total(x, r) += share(r, outChunks) * partOutput(x, r, outChunks);
  out(x, r) = cast(kernel.element, quotientOrZero(total(x, r), sum(r)));
  out.output_buffer().dim(0).set_bounds(0, valueDepth);
  out.output_buffer().dim(1).set_bounds(0, rowCount);

  largest.compute_root();
  share.compute_root();
  sum.compute_root();
  total.compute_at(out, r).vectorize(x, target.lanes, TailStrategy::RoundUp);
  total.update().reorder(x, outChunks, r).vectorize(x, target.lanes, TailStrategy::RoundUp);
  out.reorder(x, r).vectorize(x, target.lanes, TailStrategy::GuardWithIf);
  return {kernel.name, Pipeline(out), {partOutput, partLargest, partSum}};
}

} // namespace heed::kernels
