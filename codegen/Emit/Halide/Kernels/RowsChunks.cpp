#include "RowsChunks.h"

#include "Numerics.h"
#include "PairDots.h"

#include <limits>

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
  defineDot(queries);
  defineScores();
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

/// The same, but of chunk c alone where its length is odd: its last pair then has a place behind it.
Expr RowsChunks::keysLeftForPairs() const {
  return tile.keyChunk % 2 == 0 ? keysLeft() : min(keysLeft(), tile.keyChunk);
}

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

/// Pairs of keys of chunk c. The last may be half of one.
RDom RowsChunks::keyPairsOf(const char *name) const {
  RDom domain(0, (tile.keyChunk + 1) / 2, name);
  domain.where(domain < (keysLeft() + 1) / 2);
  return domain;
}

/// Columns past the last repeat it.
Expr RowsChunks::knownColumn() const {
  const bool isWhole = in.kernel.valueDepth && *in.kernel.valueDepth % tile.valueTile == 0;
  return isWhole ? Expr(x) : min(x, in.valueDepth - 1);
}

/// q kᵀ. Of an odd depth in pairs the last element comes first.
void RowsChunks::defineDot(const Func &queries) {
  depths = RDom(0, in.dotsScores ? in.depth / 2 : in.depth, "depth");
  const Expr key = readableKeyAt(j), queryRow = group * rowsPerTile() + t;
  if (seen) {
    const Expr firstOfTile = begin + j / tile.keyTile * tile.keyTile;
    depths.where(firstOfTile < seen->end && firstOfTile + tile.keyTile > seen->first);
  }
  if (in.dotsScores) {
    const Expr last = lowOf(queries(queryRow, (in.depth - 1) / 2)) * in.key(in.depth - 1, key);
    const bool isEven = in.kernel.depth && *in.kernel.depth % 2 == 0;
    const Expr zero = number(in.accumulator, 0);
    dot(t, group, j, c) = isEven ? zero : select(in.depth % 2 == 1, last, zero);
    dot(t, group, j, c) += pairDot(queries(queryRow, depths), in.keyPair(depths, key));
  } else if (in.kernel.types.k != in.accumulator) { // wider once, for all broadcasts
    Var d("d");
    widenedKeys(d, j, c) = in.key(d, key);
    dot(t, group, j, c) += queries(queryRow, depths) * widenedKeys(depths, j, c);
  } else {
    dot(t, group, j, c) += queries(queryRow, depths) * in.key(depths, key);
  }
}

void RowsChunks::defineScores() {
  const Expr key = readableKeyAt(j);
  const Expr product = dot(r % rowsPerTile(), r / rowsPerTile(), j, c);
  const Expr scaled = in.dotsScores ? product * in.queryFactor : product;
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
  scores(r, j, c) = in.score(scaled, row, keyIndex, element, of.knownVisible);
  if (in.dotsValues) { // a last key without a second one is paired with a hidden one
    RDom once(0, 1, "once");
    const int places = tile.keyChunk + tile.keyChunk % 2;
    once.where(keysLeftForPairs() < places && keysLeftForPairs() % 2 == 1);
    const Expr last = clamp(keysLeftForPairs(), 0, places - 1) + once;
    scores(r, last, c) = number(in.accumulator, -std::numeric_limits<double>::infinity());
  }
}

/// A capture with one element per pair is read along its rows and transposed.
bool RowsChunks::hasSquares(size_t capture) const {
  const Capture &axes = in.kernel.program.captures[capture];
  return axes.tableRank < 0 && axes.alongKeys && axes.alongRows && tile.vectors > 1 &&
         lanes % tile.keyTile == 0;
}

void RowsChunks::defineWeights() {
  if (in.kernel.unnormalized) {
    const Expr score = scores(r, j, c);
    weights(r, j, c) = choose(isHidden(score), number(in.accumulator, 0), score);
  } else {
    maxKeys = keysOf("max_key");
    largest(r, c) = lowestScore(in.accumulator);
    largest(r, c) = largerOf(largest(r, c), scores(r, maxKeys, c));
    const auto exponent = [&](const Expr &key) {
      return strictDifference(scores(r, key, c), largest(r, c)) * in.unit;
    };
    if (hasWeightPairs()) {
      weights(r, j, c) = upperHalves(exp2ToUpperHalf(exponent(2 * j)), exp2ToUpperHalf(exponent(2 * j + 1)));
      sumKeys = keyPairsOf("sum_key");
      sum(r, c) += pairDot(weights(r, sumKeys, c), Internal::make_const(UInt(32), 0x3f803f80)); // ones
    } else {
      weights(r, j, c) = exp2NonPositive(exponent(j));
      sumKeys = keysOf("sum_key");
      sum(r, c) += weights(r, sumKeys, c);
    }
  }
  defineFactors();
}

/// What v is multiplied with: weights, changed by the program, and in pairs where v is.
void RowsChunks::defineFactors() {
  factors = weights;
  const auto weighed = [&](const Expr &key) {
    return in.kernel.program.weigh
               ? in.weighed(weights(r, key, c), row, Internal::substitute(j.name(), key, keyIndex),
                            in.elementsAt(row, readableKeyAt(key)))
               : Expr(weights(r, key, c));
  };
  if (in.dotsValues && !hasWeightPairs()) {
    const auto rounded = [](const Expr &x) { return reinterpret<uint16_t>(cast<bfloat16_t>(x)); };
    const Expr second = select(2 * j + 1 < keysLeftForPairs(), weighed(2 * j + 1), number(in.accumulator, 0));
    factors = Func("factors");
    factors(r, j, c) = concat_bits({rounded(weighed(2 * j)), rounded(second)});
  } else if (in.kernel.program.weigh) {
    factors = Func("factors");
    factors(r, j, c) = weighed(j);
  }
}

void RowsChunks::defineProduct() {
  const int step = in.dotsValues ? 2 : 1, rows = rowsPerValueTile();
  valueKeys = in.dotsValues ? keyPairsOf("value_key") : valueKeysOf("value_key");
  if (seen) { // clamped so that Halide knows some bound
    valueKeys.where(valueKeys.x <
                    clamp((seen->end - begin + step - 1) / step, 0, (tile.keyChunk + step - 1) / step));
    valueKeys.where(valueKeys.x >= clamp((seen->first - begin) / step, 0, tile.keyChunk / step));
  }
  const Expr place = in.dotsValues ? Expr(valueKeys.x) : placeOf(valueKeys);
  const Expr factor = factors(group * rows + t, place, c);
  if (in.kernel.pairedValues) {
    const Expr pair =
        isListed() ? min(keyAt(2 * place) / 2, in.pairs.dim(1).extent() - 1) : begin / 2 + place;
    partial(t, x, group, c) +=
        pairDot(factor, in.pairs(knownColumn() % pairColumns, pair, knownColumn() / pairColumns));
  } else if (in.dotsValues) {
    const auto value = [&](const Expr &key) { return in.v(knownColumn(), readableKeyAt(key)); };
    const Expr second = select(likely(2 * j + 1 < keysLeftForPairs()), value(2 * j + 1), cast<uint16_t>(0));
    packedValues(x, j, c) = concat_bits({value(2 * j), second});
    partial(t, x, group, c) += pairDot(factor, packedValues(x, place, c));
  } else if (in.kernel.types.v != in.accumulator) {
    packedValues(x, j, c) = in.value(knownColumn(), readableKeyAt(j));
    partial(t, x, group, c) += factor * packedValues(x, place, c);
  } else {
    const Expr key = isListed() ? readableKeyAt(place) : keyAt(valueKeys.x);
    partial(t, x, group, c) += factor * in.value(knownColumn(), key);
  }
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
  const Expr zero = number(type, 0);
  output(r, x, c) = product(r, x, c);
  output(r, x, c) = select(once == 0, zero, output(r, x, c));
  Expr place, factor;
  if (in.dotsValues) { // with bounds that Halide understands
    const Expr last = max(keysLeftForPairs() - 1, 0);
    cleanKeys = RDom(0, 2, 0, (tile.keyChunk + 1) / 2, "clean_key");
    cleanKeys.where(2 * cleanKeys.y + cleanKeys.x < keysLeftForPairs());
    place = min(2 * cleanKeys.y + cleanKeys.x, last);
    const Expr pair = factors(r, min(cleanKeys.y, last / 2), c);
    factor = select(cleanKeys.x == 0, lowOf(pair), highOf(pair));
  } else {
    cleanKeys = valueKeysOf("clean_key");
    place = placeOf(cleanKeys);
    factor = factors(r, place, c);
  }
  cleanKeys.where(isNotFinite(unclean(c), type));
  const Expr key = isListed() || in.dotsValues ? readableKeyAt(place) : keyAt(cleanKeys.x);
  output(r, x, c) += select(isHidden(scores(r, place, c)), zero, factor * in.value(knownColumn(), key));
}

void RowsChunks::schedule(const Func &consumer, const RDom &loop) {
  const LoopLevel level(consumer, RVar(loop.x));
  scheduleScores(level);
  for (Func *stage : {&largest, &weights, &sum, &factors})
    if (stage->defined())
      stage->bound_extent(c, 1);
  weights.compute_at(level).reorder(r, j).vectorize(r, lanes).unroll(r);
  if (factors.name() != weights.name())
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
  const bool readsScoresLater = cleans || in.kernel.program.weigh || in.dotsValues;
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
  if (in.dotsValues)
    scores.update().vectorize(r, lanes);
  dot.compute_at(scores, rv).bound(t, 0, rowsPerTile()).vectorize(t, lanes).unroll(t).unroll(j);
  dot.update().reorder(t, j, depths).vectorize(t, lanes).unroll(t).unroll(j);
  if (widenedKeys.defined()) {
    const Var d = widenedKeys.args()[0];
    widenedKeys.compute_at(scores, jo).bound_extent(c, 1).vectorize(d, lanes, TailStrategy::GuardWithIf);
  }
}

void RowsChunks::scheduleProduct(const LoopLevel &level) {
  Var rv("rv"), xo("xo");
  product.compute_at(level).bound_extent(c, 1).split(r, rv, r, rowsPerValueTile());
  product.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp).reorder(r, x, rv, xo);
  product.vectorize(r, lanes).unroll(r).unroll(x);
  partial.compute_at(product, rv).bound(t, 0, rowsPerValueTile()).vectorize(t, lanes).unroll(t).unroll(x);
  std::vector<VarOrRVar> loops = {t, x, valueKeys.x};
  if (valueKeys.dimensions() > 1)
    loops.push_back(valueKeys.y);
  partial.update().reorder(loops).vectorize(t, lanes).unroll(t).unroll(x);
  if (!packedValues.defined())
    return;
  // Columns that are whole register tiles are read as they are, but may end within a vector.
  const std::optional<int64_t> &columns = in.kernel.valueDepth;
  const bool endsWithin = columns && *columns % tile.valueTile == 0 && *columns % lanes != 0;
  packedValues.compute_at(level).bound_extent(c, 1);
  packedValues.vectorize(x, lanes, endsWithin ? TailStrategy::PredicateLoads : TailStrategy::RoundUp);
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
  if (cleanKeys.dimensions() > 1)
    loops.push_back(cleanKeys.y);
  output.update(1).reorder(loops).vectorize(r, lanes);
}

} // namespace heed::kernels
