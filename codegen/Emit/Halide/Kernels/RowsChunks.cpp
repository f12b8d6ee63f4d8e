#include "RowsChunks.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

RowsChunks::RowsChunks(const AttentionOperands &in, const RowsTile &tile, int lanes, const Func &queries,
                       const KeyRange &keys, bool knownVisible, OpaqueScalars &scalars)
    : in(in), tile(tile), lanes(lanes), cleans(in.changesScore || !knownVisible), keys(keys),
      begin(keys.first + c * tile.keyChunk), keyIndex(scalars.hide(begin + j)) {
  defineScores(queries, knownVisible);
  defineWeights();
  defineProduct();
  if (cleans)
    defineCleaning();
}

Expr RowsChunks::count() const { return (keys.end - keys.first + tile.keyChunk - 1) / tile.keyChunk; }

/// The keys of chunk c, counted from its first.
RDom RowsChunks::keysOf(const char *name) const {
  RDom domain(0, tile.keyChunk, name);
  domain.where(domain < keys.end - begin);
  return domain;
}

/// v of the chunk's key; columns past the last repeat it.
Expr RowsChunks::valueOf(const Expr &key) const { return in.v(min(x, in.valueDepth - 1), begin + key); }

void RowsChunks::defineScores(const Func &queries, bool knownVisible) {
  depths = RDom(0, in.depth, "depth");
  const Expr key = min(begin + j, in.keys - 1);
  dot(r, j, c) += queries(r, depths) * cast<float>(in.k(depths, key));
  const Expr row = min(r, in.rows - 1);
  std::vector<Expr> elements = in.elements(row, key);
  for (size_t n = 0; n < elements.size(); ++n)
    if (hasSquares(n)) {
      squares.emplace_back(
          in.captures[n].name() + "_by_row", Transpose::By::Square, lanes,
          [&](const Expr &at, const Expr &of) { return in.element(n, min(of, in.rows - 1), begin + at); },
          keys.end - begin, std::vector<Var>{c});
      elements[n] = squares.back().result(r, j, c);
    }
  scores(r, j, c) = in.score(dot(r, j, c), row, keyIndex, elements, knownVisible);
}

/// A capture with one element per pair is read along its rows and transposed.
bool RowsChunks::hasSquares(size_t capture) const {
  const Capture &axes = in.kernel.program.captures[capture];
  return axes.alongKeys && axes.alongRows && tile.vectors > 1 && lanes % tile.keyTile == 0;
}

void RowsChunks::defineWeights() {
  maxKeys = keysOf("max_key");
  largest(r, c) = lowestScore();
  largest(r, c) = largerOf(largest(r, c), scores(r, maxKeys, c));
  weights(r, j, c) = exp2NonPositive(strictDifference(scores(r, j, c), largest(r, c)) * in.unit);
  sumKeys = keysOf("sum_key");
  sum(r, c) += weights(r, sumKeys, c);
}

void RowsChunks::defineProduct() {
  valueKeys = keysOf("value_key");
  const Expr value = cast<float>(valueOf(valueKeys));
  partial(r, x, c) += weights(r, valueKeys, c) * value;
  product(r, x, c) = partial(r, x, c);
  if (!cleans)
    output = product;
}

/// A hidden key has weight 0, but 0 · v is NaN where v is not finite. Such values are rare: if any of the
/// chunk's outputs is not finite, its outputs are computed again, without the hidden pairs.
void RowsChunks::defineCleaning() {
  const int32_t infinityBits = 0x7f800000, minusInfinityBits = int32_t(0xff800000);
  allOutputs = RDom(0, tile.queryBlock / lanes, 0, in.valueDepth, "output");
  const Expr bits = reinterpret<int32_t>(product(allOutputs.x * lanes + l, allOutputs.y, c)) & 0x7fffffff;
  worst(l, c) = 0;
  worst(l, c) = max(worst(l, c), bits);
  allLanes = RDom(0, lanes, "lane");
  unclean(c) = 0;
  unclean(c) = max(unclean(c), worst(allLanes, c));
  RDom once(0, 1, "once");
  once.where(unclean(c) >= infinityBits);
  cleanKeys = keysOf("clean_key");
  cleanKeys.where(unclean(c) >= infinityBits);
  output(r, x, c) = product(r, x, c);
  output(r, x, c) = select(once == 0, 0.0f, output(r, x, c));
  const Expr isHidden = reinterpret<int32_t>(scores(r, cleanKeys, c)) == minusInfinityBits;
  const Expr value = cast<float>(valueOf(cleanKeys));
  output(r, x, c) += select(isHidden, 0.0f, weights(r, cleanKeys, c) * value);
}

void RowsChunks::schedule(const Func &consumer, const RDom &loop) {
  const LoopLevel level(consumer, RVar(loop.x));
  const int rowsPerTile = lanes * tile.vectors;
  Var rv("rv"), jo("jo"), xo("xo");
  for (Func *stage : {&scores, &largest, &weights, &sum, &product})
    stage->bound_extent(c, 1);
  scores.compute_at(level).split(r, rv, r, rowsPerTile);
  if (squares.empty()) {
    scores.split(j, jo, j, tile.keyTile, TailStrategy::RoundUp).reorder(r, j, rv, jo);
  } else {
    Var square("square");
    scores.split(j, square, jo, lanes, TailStrategy::RoundUp).split(jo, jo, j, tile.keyTile);
    scores.reorder(r, j, rv, jo, square);
    for (Transpose &capture : squares)
      capture.schedule(LoopLevel(scores, square));
  }
  scores.vectorize(r, lanes).unroll(r).unroll(j);
  dot.compute_at(scores, rv).vectorize(r, lanes).unroll(r).unroll(j);
  dot.update().reorder(r, j, depths).vectorize(r, lanes).unroll(r).unroll(j);
  largest.compute_at(level).vectorize(r, lanes).unroll(r);
  largest.update().reorder(r, maxKeys).vectorize(r, lanes).unroll(r);
  weights.compute_at(level).reorder(r, j).vectorize(r, lanes).unroll(r);
  sum.compute_at(level).vectorize(r, lanes).unroll(r);
  sum.update().reorder(r, sumKeys).vectorize(r, lanes).unroll(r);
  product.compute_at(level).split(r, rv, r, rowsPerTile);
  product.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp).reorder(r, x, rv, xo);
  product.vectorize(r, lanes).unroll(r).unroll(x);
  partial.compute_at(product, rv).vectorize(r, lanes).unroll(r).unroll(x);
  partial.update().reorder(r, x, valueKeys).vectorize(r, lanes).unroll(r).unroll(x);
  if (cleans)
    scheduleCleaning(level);
}

void RowsChunks::scheduleCleaning(const LoopLevel &level) {
  for (Func *stage : {&worst, &unclean, &output})
    stage->bound_extent(c, 1);
  worst.compute_at(level).vectorize(l, lanes);
  worst.update().reorder(l, allOutputs.x, allOutputs.y).vectorize(l, lanes);
  unclean.compute_at(level);
  unclean.update().atomic().vectorize(allLanes);
  output.compute_at(level).reorder(r, x).vectorize(r, lanes);
  output.update(0).reorder(r, x).vectorize(r, lanes);
  output.update(1).reorder(r, x, cleanKeys).vectorize(r, lanes);
}

} // namespace heed::kernels
