#include "AttentionOperands.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// The pipeline of one block of query rows, stage by stage in the order of computation.
class RowsBuilder {
public:
  RowsBuilder(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
      : in(kernel), tile(tile), lanes(target.lanes) {}

  TileFunction build();

private:
  void defineScores();
  void defineWeights();
  void defineChunkOutput();
  void defineCleaning();
  void defineOutput();
  void scheduleChunk();
  void scheduleCleaning();
  void scheduleOutput();

  Expr keyOf(const Expr &chunk, const Expr &j) const { return first + chunk * tile.keyChunk + j; }
  RDom chunkKeys(const char *name) const {
    RDom keys(0, tile.keyChunk, name);
    keys.where(keys < keyCount - c * tile.keyChunk);
    return keys;
  }

  const AttentionOperands in;
  const RowsTile &tile;
  const int lanes;
  Expr first, keyCount; // the visible keys are [first, first + keyCount)

  Var r{"r"}, j{"j"}, c{"c"}, x{"x"}, d{"d"}, g{"g"}, l{"l"};
  RDom depths, maxKeys, sumKeys, valueKeys, allOutputs, allLanes, cleanKeys, chunks;
  Func queries{"queries"}, dot{"dot"}, scores{"scores"}, largest{"largest"}, weights{"weights"}, sum{"sum"},
      partial{"partial"}, product{"product"}, worst{"worst"}, unclean{"unclean"}, cleaned{"cleaned"},
      state{"state"}, merged{"merged"}, out{"out"};
};

void RowsBuilder::defineScores() {
  const KeyRange range = in.visibleKeys(in.keys);
  first = range.first;
  keyCount = range.end - range.first;
  queries(r, d) = in.query(d, r);
  depths = RDom(0, in.depth, "depth");
  const Expr key = min(keyOf(c, j), in.keys - 1);
  dot(r, j, c) += queries(r, depths) * cast<float>(in.k(depths, key));
  scores(r, j, c) = in.score(dot(r, j, c), min(r, in.rows - 1), key, keyOf(c, j));
}

void RowsBuilder::defineWeights() {
  maxKeys = chunkKeys("max_key");
  largest(r, c) = lowestScore();
  largest(r, c) = largerOf(largest(r, c), scores(r, maxKeys, c));
  weights(r, j, c) = exp2NonPositive(strictDifference(scores(r, j, c), largest(r, c)) * in.unit);
  sumKeys = chunkKeys("sum_key");
  sum(r, c) += weights(r, sumKeys, c);
}

void RowsBuilder::defineChunkOutput() {
  valueKeys = chunkKeys("value_key");
  const Expr value = cast<float>(in.v(min(x, in.valueDepth - 1), keyOf(c, valueKeys)));
  partial(r, x, c) += weights(r, valueKeys, c) * value;
  product(r, x, c) = partial(r, x, c);
  if (in.hasHidden)
    defineCleaning();
  else
    cleaned = product;
}

/// A hidden key has weight 0, but 0 · v is NaN where v is not finite. Such values are rare: if any of the
/// chunk's outputs is not finite, its outputs are computed again, without the hidden pairs.
void RowsBuilder::defineCleaning() {
  const int32_t infinityBits = 0x7f800000, minusInfinityBits = int32_t(0xff800000);
  allOutputs = RDom(0, tile.queryBlock / lanes, 0, in.valueDepth, "output");
  worst(l, c) = 0;
  worst(l, c) =
      max(worst(l, c), reinterpret<int32_t>(product(allOutputs.x * lanes + l, allOutputs.y, c)) & 0x7fffffff);
  allLanes = RDom(0, lanes, "lane");
  unclean(c) = 0;
  unclean(c) = max(unclean(c), worst(allLanes, c));
  RDom once(0, 1, "once");
  once.where(unclean(c) >= infinityBits);
  cleanKeys = chunkKeys("clean_key");
  cleanKeys.where(unclean(c) >= infinityBits);
  cleaned(r, x, c) = product(r, x, c);
  cleaned(r, x, c) = select(once == 0, 0.0f, cleaned(r, x, c));
  const Expr isHidden = reinterpret<int32_t>(scores(r, cleanKeys, c)) == minusInfinityBits;
  const Expr value = cast<float>(in.v(min(x, in.valueDepth - 1), keyOf(c, cleanKeys)));
  cleaned(r, x, c) += select(isHidden, 0.0f, weights(r, cleanKeys, c) * value);
}

void RowsBuilder::defineOutput() {
  // Maximum, sum and one group of value columns together, so that all take the same rescaling.
  const int width = tile.valueTile;
  std::vector<Expr> initial = {lowestScore(), 0.0f};
  initial.resize(2 + width, 0.0f);
  state(r, g) = Tuple(initial);
  chunks = RDom(0, (keyCount + tile.keyChunk - 1) / tile.keyChunk, "chunk");
  const FuncRef old = state(r, g);
  const Expr newLargest = largerOf(old[0], largest(r, chunks));
  const Expr rescale = exp2NonPositive(strictDifference(old[0], newLargest) * in.unit);
  const Expr share = exp2NonPositive(strictDifference(largest(r, chunks), newLargest) * in.unit);
  std::vector<Expr> next = {newLargest, old[1] * rescale + sum(r, chunks) * share};
  for (int n = 0; n < width; ++n)
    next.push_back(old[2 + n] * rescale + cleaned(r, g * width + n, chunks) * share);
  state(r, g) = Tuple(next);

  const FuncRef done = state(r, x / width);
  std::vector<Expr> columns;
  for (int n = 0; n < width; ++n)
    columns.push_back(quotientOrZero(done[2 + n], done[1]));
  merged(r, x) = mux(x % width, columns);
  out(x, r) = cast(in.kernel.element, merged(r, x));
  out.output_buffer().dim(0).set_bounds(0, in.valueDepth);
  out.output_buffer().dim(1).set_bounds(0, in.rows);
}

void RowsBuilder::scheduleChunk() {
  const int rowsPerTile = lanes * tile.vectors;
  Var rv("rv"), jo("jo"), xo("xo");
  scores.compute_at(state, chunks).split(r, rv, r, rowsPerTile);
  scores.split(j, jo, j, tile.keyTile, TailStrategy::RoundUp).reorder(r, j, rv, jo);
  scores.vectorize(r, lanes).unroll(r).unroll(j);
  dot.compute_at(scores, rv).vectorize(r, lanes).unroll(r).unroll(j);
  dot.update().reorder(r, j, depths).vectorize(r, lanes).unroll(r).unroll(j);
  largest.compute_at(state, chunks).vectorize(r, lanes).unroll(r);
  largest.update().reorder(r, maxKeys).vectorize(r, lanes).unroll(r);
  weights.compute_at(state, chunks).reorder(r, j).vectorize(r, lanes).unroll(r);
  sum.compute_at(state, chunks).vectorize(r, lanes).unroll(r);
  sum.update().reorder(r, sumKeys).vectorize(r, lanes).unroll(r);
  product.compute_at(state, chunks).split(r, rv, r, rowsPerTile);
  product.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp).reorder(r, x, rv, xo);
  product.vectorize(r, lanes).unroll(r).unroll(x);
  partial.compute_at(product, rv).vectorize(r, lanes).unroll(r).unroll(x);
  partial.update().reorder(r, x, valueKeys).vectorize(r, lanes).unroll(r).unroll(x);
}

void RowsBuilder::scheduleCleaning() {
  worst.compute_at(state, chunks).vectorize(l, lanes);
  worst.update().reorder(l, allOutputs.x, allOutputs.y).vectorize(l, lanes);
  unclean.compute_at(state, chunks);
  cleaned.compute_at(state, chunks).reorder(r, x).vectorize(r, lanes);
  cleaned.update(0).reorder(r, x).vectorize(r, lanes);
  cleaned.update(1).reorder(r, x, cleanKeys).vectorize(r, lanes);
}

void RowsBuilder::scheduleOutput() {
  Var rv("rv"), xo("xo");
  queries.compute_root().bound(r, 0, tile.queryBlock).split(r, rv, r, lanes).reorder(r, d, rv).vectorize(r);
  state.compute_root().reorder(r, g).vectorize(r, lanes);
  state.update().reorder(r, g, chunks).vectorize(r, lanes);
  merged.compute_root().bound(r, 0, tile.queryBlock);
  merged.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp)
      .reorder(r, x, xo)
      .vectorize(r, lanes)
      .unroll(x);
  out.reorder(x, r).vectorize(x, lanes, TailStrategy::GuardWithIf);
}

TileFunction RowsBuilder::build() {
  defineScores();
  defineWeights();
  defineChunkOutput();
  defineOutput();
  scheduleChunk();
  if (in.hasHidden)
    scheduleCleaning();
  scheduleOutput();
  return {in.kernel.name, Pipeline(out), in.arguments(false)};
}

} // namespace

TileFunction buildAttentionRows(const AttentionKernel &kernel, const RowsTile &tile,
                                const CpuTarget &target) {
  return RowsBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
