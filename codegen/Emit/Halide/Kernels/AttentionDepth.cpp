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
      : in(kernel), rows(rows), keyChunk(keyChunk), lanes(target.lanes) {}

  TileFunction build();

private:
  void defineScores();
  void defineWeights();
  void defineParts();
  void scheduleScores();
  void scheduleParts();

  bool isWhole(const std::optional<int64_t> &extent) const { return extent && *extent % lanes == 0; }

  const AttentionOperands in;
  const int rows, keyChunk, lanes;
  Expr first, keyCount; // the visible keys of the chunk are [first, first + keyCount)

  Var r{"r"}, j{"j"}, x{"x"}, d{"d"}, l{"l"};
  RDom depths, lane, maxKeys, sumKeys, valueKeys;
  Func queries{"queries"}, products{"products"}, dot{"dot"}, scores{"scores"}, largest{"largest"},
      weights{"weights"}, sum{"sum"}, partial{"partial"}, product{"product"}, partOutput{"part_output"},
      partLargest{"part_largest"}, partSum{"part_sum"};
};

void DepthPartBuilder::defineScores() {
  const KeyRange range = in.visibleKeys(in.firstKey + in.keys);
  first = clamp(range.first - in.firstKey, 0, in.keys);
  keyCount = clamp(range.end - in.firstKey, first, in.keys) - first;

  queries(d, r) = in.query(isWhole(in.kernel.depth) ? Expr(d) : min(d, in.depth - 1), r);
  depths = RDom(0, (in.depth + lanes - 1) / lanes, "depth");
  const Expr at = depths * lanes + l;
  if (!isWhole(in.kernel.depth))
    depths.where(at < in.depth);
  const Expr key = min(first + j, in.keys - 1);
  products(l, r, j) += queries(at, r) * cast<float>(in.k(at, key));
  lane = RDom(0, lanes, "lane");
  dot(r, j) += products(lane, r, j);
  scores(j, r) = in.score(dot(r, j), min(r, in.rows - 1), key, in.firstKey + first + j);
}

void DepthPartBuilder::defineWeights() {
  maxKeys = RDom(0, keyCount, "max_key");
  largest(r) = lowestScore();
  largest(r) = largerOf(largest(r), scores(maxKeys, r));
  weights(j, r) = exp2NonPositive(strictDifference(scores(j, r), largest(r)) * in.unit);
  sumKeys = RDom(0, keyCount, "sum_key");
  sum(r) += weights(sumKeys, r);
}

void DepthPartBuilder::defineParts() {
  valueKeys = RDom(0, keyCount, "value_key");
  if (!isWhole(in.kernel.valueDepth))
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
  dot.update().atomic().reorder(lane, r, j).vectorize(lane).unroll(r);
  products.compute_at(dot, j).vectorize(l, lanes).unroll(r);
  products.update().reorder(l, r, depths).vectorize(l, lanes).unroll(r);
  if (isWhole(in.kernel.depth) && *in.kernel.depth <= 256)
    products.update().unroll(depths);
  largest.compute_root().bound(r, 0, rows);
  weights.compute_root().bound(r, 0, rows).reorder(j, r).vectorize(j, lanes, TailStrategy::RoundUp);
  sum.compute_root().bound(r, 0, rows);
}

void DepthPartBuilder::scheduleParts() {
  Var xo("xo");
  int vectors = 4;
  if (isWhole(
          in.kernel.valueDepth)) // no vector may reach past the values: their number must divide the depth's
    for (vectors = 8; *in.kernel.valueDepth % (vectors * lanes) != 0;)
      --vectors;
  product.compute_root().bound(r, 0, rows).split(x, xo, x, vectors * lanes, TailStrategy::RoundUp);
  product.reorder(x, r, xo).vectorize(x, lanes).unroll(x).unroll(r);
  partial.compute_at(product, xo).vectorize(x, lanes).unroll(x).unroll(r);
  partial.update().reorder(x, r, valueKeys).vectorize(x, lanes).unroll(x).unroll(r);
  partOutput.reorder(x, r).vectorize(x, lanes, TailStrategy::GuardWithIf);
}

TileFunction DepthPartBuilder::build() {
  defineScores();
  defineWeights();
  defineParts();
  scheduleScores();
  scheduleParts();
  return {in.kernel.name, Pipeline({partOutput, partLargest, partSum}), in.arguments(true)};
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
