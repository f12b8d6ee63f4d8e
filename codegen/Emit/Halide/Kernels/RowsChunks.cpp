#include "RowsChunks.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

RowsChunks::RowsChunks(const AttentionOperands &in, const RowsTile &tile, int lanes, const Func &queries,
                       const ChunkKeys &of, OpaqueScalars &scalars)
    : in(in), tile(tile), lanes(lanes), of(of), cleans(in.changesScore || !of.knownVisible),
      row(min(r, in.rows - 1)), begin(of.keys.first + c * tile.keyChunk), end(of.keys.end) {
  if (of.others) {
    const Expr before = scalars.derive("chunks_before_others", chunksOf(of.keys));
    begin = select(c < before, begin, of.others->first + (c - before) * tile.keyChunk);
    end = select(c < before, end, of.others->end);
  }
  keyIndex = isListed() ? keyAt(j) : scalars.hide(keyAt(j));
  if (!of.knownVisible && !isListed() && in.kernel.program.visibleKeys && tile.queryBlock > rowsPerTile())
    chooseGroups(scalars);
  defineScores(queries);
  defineWeights();
  if (!in.kernel.hasValue)
    return;
  defineProduct();
  if (cleans)
    defineCleaning();
}

/// Under a slanted mask the rows of one register tile see less than all rows do.
void RowsChunks::chooseGroups(OpaqueScalars &scalars) {
  seen = KeyRange{0, 0};
  for (int n = tile.queryBlock / rowsPerTile() - 1; n >= 0; --n) {
    const Expr first = in.firstQuery + min(n * rowsPerTile(), in.rows - 1),
               last = in.firstQuery + min((n + 1) * rowsPerTile(), in.rows) - 1;
    const KeyRange range = in.visibleKeys(in.keys, first, last);
    const std::string name = "_of_group_" + std::to_string(n);
    seen->first = select(group == n, scalars.derive("first" + name, range.first), seen->first);
    seen->end = select(group == n, scalars.derive("end" + name, range.end), seen->end);
  }
  seen->first = scalars.hide(seen->first);
  seen->end = scalars.hide(seen->end);
}

Expr RowsChunks::count() const {
  return of.others ? chunksOf(of.keys) + chunksOf(*of.others) : chunksOf(of.keys);
}

Expr RowsChunks::chunksOf(const KeyRange &range) const {
  return (range.end - range.first + tile.keyChunk - 1) / tile.keyChunk;
}

/// Of chunk c and those after it.
Expr RowsChunks::keysLeft() const { return end - begin; }

/// The chunk's j-th key.
Expr RowsChunks::keyAt(const Expr &j) const {
  if (!isListed())
    return begin + j;
  Expr entry = of.firstEntry + c * (tile.keyChunk / keyBlock) + j / keyBlock;
  if (keyBlock % tile.keyTile != 0) // the last tile of keys then reaches past the entries
    entry = min(entry, in.list.dim(0).extent() - 1);
  const Expr block = clamp(in.list(entry), 0, (in.keys - 1) / keyBlock); // as it is: Halide must know
  return block * keyBlock + j % keyBlock;
}

/// The same, for reading operands: past the last key that one is repeated.
Expr RowsChunks::readableKeyAt(const Expr &j) const { return min(keyAt(j), in.keys - 1); }

/// The keys of chunk c, counted from its first.
RDom RowsChunks::keysOf(const char *name) const {
  RDom domain(0, tile.keyChunk, name);
  domain.where(domain < keysLeft());
  return domain;
}

/// The same for reading v: keys within blocks, where a list says which, so that it is asked once a block.
RDom RowsChunks::valueKeysOf(const char *name) const {
  if (!isListed())
    return keysOf(name);
  RDom domain(0, keyBlock, 0, tile.keyChunk / keyBlock, name);
  domain.where(domain.y < of.blocks - c * (tile.keyChunk / keyBlock));
  domain.where(domain.x < keysLeft() - domain.y * keyBlock);
  return domain;
}

Expr RowsChunks::placeOf(const RDom &valueKeys) const {
  return isListed() ? valueKeys.y * keyBlock + valueKeys.x : Expr(valueKeys.x);
}

/// v of the chunk's key; columns past the last repeat it.
Expr RowsChunks::valueOf(const RDom &valueKeys) const {
  const Expr key = isListed() ? readableKeyAt(placeOf(valueKeys)) : keyAt(valueKeys.x);
  const bool isWhole = in.kernel.valueDepth && *in.kernel.valueDepth % tile.valueTile == 0;
  return in.widened(in.v(isWhole ? Expr(x) : min(x, in.valueDepth - 1), key));
}

void RowsChunks::defineScores(const Func &queries) {
  depths = RDom(0, in.depth, "depth");
  const Expr key = readableKeyAt(j);
  if (seen) {
    const Expr firstOfTile = begin + j / tile.keyTile * tile.keyTile;
    depths.where(firstOfTile < seen->end && firstOfTile + tile.keyTile > seen->first);
  }
  dot(t, group, j, c) += queries(group * rowsPerTile() + t, depths) * in.widened(in.k(depths, key));
  const Expr product = dot(r % rowsPerTile(), r / rowsPerTile(), j, c);
  for (size_t n = 0; n < in.captures.size(); ++n)
    if (hasSquares(n))
      squares.emplace(n, Transpose(
                             in.captures[n].name() + "_by_row", Transpose::By::Square, lanes,
                             [&](const Expr &at, const Expr &of) {
                               return in.captures[n](keyAt(at), min(of, in.rows - 1));
                             },
                             keysLeft(), std::vector<Var>{c}));
  const ElementAt direct = in.elementsAt(row, key);
  const ElementAt element = [&](size_t n, const std::vector<Expr> &indices) -> Expr {
    const auto square = squares.find(n);
    return square == squares.end() ? direct(n, indices) : square->second.result(r, j, c);
  };
  scores(r, j, c) = in.score(product, row, keyIndex, element, of.knownVisible);
}

/// A capture with one element per pair is read along its rows and transposed.
bool RowsChunks::hasSquares(size_t capture) const {
  const Capture &axes = in.kernel.program.captures[capture];
  return axes.tableRank < 0 && axes.alongKeys && axes.alongRows && tile.vectors > 1 &&
         lanes % tile.keyTile == 0;
}

void RowsChunks::defineWeights() {
  const Expr score = scores(r, j, c);
  if (in.kernel.unnormalized) {
    weights(r, j, c) = choose(isHidden(score), number(in.accumulator, 0), score);
  } else {
    maxKeys = keysOf("max_key");
    largest(r, c) = lowestScore(in.accumulator);
    largest(r, c) = largerOf(largest(r, c), scores(r, maxKeys, c));
    weights(r, j, c) = exp2NonPositive(strictDifference(score, largest(r, c)) * in.unit);
    sumKeys = keysOf("sum_key");
    sum(r, c) += weights(r, sumKeys, c);
  }
  factors = weights;
  if (in.kernel.program.weigh) {
    factors = Func("factors");
    factors(r, j, c) = in.weighed(weights(r, j, c), row, keyIndex, in.elementsAt(row, readableKeyAt(j)));
  }
}

void RowsChunks::defineProduct() {
  valueKeys = valueKeysOf("value_key");
  if (seen) { // clamped so that Halide knows some bound
    valueKeys.where(valueKeys.x < clamp(seen->end - begin, 0, tile.keyChunk));
    valueKeys.where(valueKeys.x >= clamp(seen->first - begin, 0, tile.keyChunk));
  }
  const int rows = rowsPerValueTile();
  partial(t, x, group, c) += factors(group * rows + t, placeOf(valueKeys), c) * valueOf(valueKeys);
  product(r, x, c) = partial(r % rows, x, r / rows, c);
  if (!cleans)
    output = product;
}

/// A hidden key has weight 0, but 0 · v is NaN where v is not finite. Such values are rare: if any of the
/// chunk's outputs is not finite, its outputs are computed again, without the hidden pairs.
void RowsChunks::defineCleaning() {
  const Type type = in.accumulator;
  allOutputs = RDom(0, tile.queryBlock / lanes, 0, in.valueDepth, "output");
  const Expr bits = magnitudeBits(product(allOutputs.x * lanes + l, allOutputs.y, c));
  worst(l, c) = Internal::make_zero(bits.type());
  worst(l, c) = max(worst(l, c), bits);
  allLanes = RDom(0, lanes, "lane");
  unclean(c) = Internal::make_zero(bits.type());
  unclean(c) = max(unclean(c), worst(allLanes, c));
  RDom once(0, 1, "once");
  once.where(isNotFinite(unclean(c), type));
  cleanKeys = valueKeysOf("clean_key");
  cleanKeys.where(isNotFinite(unclean(c), type));
  const Expr zero = number(type, 0);
  output(r, x, c) = product(r, x, c);
  output(r, x, c) = select(once == 0, zero, output(r, x, c));
  const Expr place = placeOf(cleanKeys);
  output(r, x, c) += select(isHidden(scores(r, place, c)), zero, factors(r, place, c) * valueOf(cleanKeys));
}

void RowsChunks::schedule(const Func &consumer, const RDom &loop) {
  const LoopLevel level(consumer, RVar(loop.x));
  scheduleScores(level);
  for (Func *stage : {&largest, &weights, &sum, &factors})
    if (stage->defined())
      stage->bound_extent(c, 1);
  weights.compute_at(level).reorder(r, j).vectorize(r, lanes).unroll(r);
  if (in.kernel.program.weigh)
    factors.compute_at(level).reorder(r, j).vectorize(r, lanes).unroll(r);
  if (!in.kernel.unnormalized) {
    largest.compute_at(level).vectorize(r, lanes).unroll(r);
    largest.update().reorder(r, maxKeys).vectorize(r, lanes).unroll(r);
    sum.compute_at(level).vectorize(r, lanes).unroll(r);
    sum.update().reorder(r, sumKeys).vectorize(r, lanes).unroll(r);
  }
  if (!in.kernel.hasValue)
    return;
  scheduleProduct(level);
  if (cleans)
    scheduleCleaning(level);
}

std::vector<FusedFold> RowsChunks::folds() const {
  if (in.kernel.unnormalized)
    return {};
  return {{largest.name(), scores.name(), scores.name() + ".s0.j.jo", tile.keyTile},
          {sum.name(), weights.name(), weights.name() + ".s0.j"}};
}

std::vector<SharedMemory> RowsChunks::shared() const {
  const bool readsScoresLater = cleans || in.kernel.program.weigh;
  return readsScoresLater ? std::vector<SharedMemory>{}
                          : std::vector<SharedMemory>{{scores.name(), weights.name()}};
}

void RowsChunks::scheduleScores(const LoopLevel &level) {
  Var rv("rv"), jo("jo"), square("square");
  scores.compute_at(level).bound_extent(c, 1).split(r, rv, r, rowsPerTile());
  if (squares.empty()) {
    scores.split(j, jo, j, tile.keyTile, TailStrategy::RoundUp).reorder(r, j, rv, jo);
  } else {
    scores.split(j, square, jo, lanes, TailStrategy::RoundUp).split(jo, jo, j, tile.keyTile);
    scores.reorder(r, j, rv, jo, square);
    for (auto &[number, capture] : squares)
      capture.schedule(LoopLevel(scores, square));
  }
  scores.vectorize(r, lanes).unroll(r).unroll(j);
  if (seen) // the neighbouring block, which comes next, begins as many keys before
    scores.prefetch(in.k, jo, jo, -tile.queryBlock / tile.keyTile, PrefetchBoundStrategy::NonFaulting);
  dot.compute_at(scores, rv).bound(t, 0, rowsPerTile()).vectorize(t, lanes).unroll(t).unroll(j);
  dot.update().reorder(t, j, depths).vectorize(t, lanes).unroll(t).unroll(j);
}

void RowsChunks::scheduleProduct(const LoopLevel &level) {
  Var rv("rv"), xo("xo");
  product.compute_at(level).bound_extent(c, 1).split(r, rv, r, rowsPerValueTile());
  product.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp).reorder(r, x, rv, xo);
  product.vectorize(r, lanes).unroll(r).unroll(x);
  partial.compute_at(product, rv).bound(t, 0, rowsPerValueTile()).vectorize(t, lanes).unroll(t).unroll(x);
  std::vector<VarOrRVar> loops = {t, x, valueKeys.x};
  if (isListed())
    loops.push_back(valueKeys.y);
  partial.update().reorder(loops).vectorize(t, lanes).unroll(t).unroll(x);
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
  std::vector<VarOrRVar> loops = {r, x, cleanKeys.x};
  if (isListed())
    loops.push_back(cleanKeys.y);
  output.update(1).reorder(loops).vectorize(r, lanes);
}

} // namespace heed::kernels
