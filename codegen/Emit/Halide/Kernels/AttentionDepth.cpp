#include "AttentionResults.h"
#include "Numerics.h"
#include "PairDots.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Few query rows against one chunk of keys: depth in lanes for the scores, keys in lanes for the weights,
/// value columns in lanes for the output. Rows of K and V are read once, front to back, and all query rows
/// take part at one row of K or a few of V: so memory is never idle for long.
class DepthPartBuilder {
public:
  DepthPartBuilder(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target)
      : in(kernel), rows(rows), keyChunk(keyChunk), lanes(lanesOf(in.accumulator, target.lanes)),
        productRows(target.lanes >= 16 && rows % 2 == 0 ? 2 : 1), inPairs(multipliesPairs(kernel, target)),
        depthLanes(widthFor(inPairs ? *kernel.depth / 2 : kernel.depth)),
        valueLanes(widthFor(kernel.valueDepth)) {}

  TileFunction build();

private:
  void defineScores();
  void foldLanes();
  void defineWeights();
  void defineProduct();
  void defineParts();
  void scheduleScores();
  void scheduleWeights();
  void scheduleProduct();
  std::vector<RowPasses> passesOverValues() const;

  /// Whether q and k are multiplied as pairs of bf16, of which whole vectors make up the depth. Statistics
  /// are those of the sums that a score matrix takes again.
  static bool multipliesPairs(const AttentionKernel &kernel, const CpuTarget &target) {
    return target.dotsBf16 && !kernel.statistics && kernel.types.q == BFloat(16) &&
           kernel.types.k == BFloat(16) && kernel.depth && *kernel.depth % 8 == 0;
  }
  /// Two neighbours of a row as one u32.
  static Expr pairAt(const ImageParam &operand, const Expr &pair, const Expr &row) {
    const auto bits = [&](const Expr &at) { return reinterpret<uint16_t>(operand(at, row)); };
    return concat_bits({bits(2 * pair), bits(2 * pair + 1)});
  }

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
  /// Rows that share a value once it is loaded. The fewer, the more columns fit the registers, and the longer
  /// the stretch of V that is read: with short vectors that counts for more than loads from the first cache.
  const int productRows;
  const bool inPairs;               ///< of q and k, along d
  const int depthLanes, valueLanes; ///< vector widths along d, or its pairs, and e
  Expr first, keyCount;             // the visible keys of the chunk are [first, first + keyCount)
  Expr row, key, keyIndex;          ///< of r and j: positions to read at, and the key of the program

  /// Keys whose values all rows pass over before the next ones are read.
  static constexpr int valueBlock = 8;
  /// Vectors of sums of the output that are kept in registers.
  static constexpr int productVectors = 16;

  Var r{"r"}, j{"j"}, x{"x"}, d{"d"}, l{"l"}, n{"n"}, block{"block"};
  RDom depths, lane, maxVectors, sumVectors, valueKeys, valueBlocks;
  OpaqueScalars scalars;
  Func queries{"queries"}, products{"products"}, laneDots{"lane_dots"}, scores{"scores"},
      laneLargest{"lane_largest"}, laneSum{"lane_sum"}, largest{"largest"}, weights{"weights"},
      factors{"factors"}, sum{"sum"}, partial{"partial"}, product{"product"}, partOutput{"part_output"},
      partLargest{"part_largest"}, partSum{"part_sum"};
  std::vector<Func> pairs, folds; ///< of rounds
};

void DepthPartBuilder::defineScores() {
  const KeyRange range = in.visibleKeys(in.firstKey + in.keys);
  first = scalars.derive("first_visible", clamp(range.first - in.firstKey, 0, in.keys));
  keyCount = scalars.derive("visible_keys", clamp(range.end - in.firstKey, first, in.keys) - first);

  const bool isWholeDepth = inPairs || isWhole(in.kernel.depth, depthLanes);
  queries(d, r) = inPairs ? pairAt(in.q, d, min(r, in.rows - 1))
                          : in.query(isWholeDepth ? Expr(d) : min(d, in.depth - 1), r);
  depths = RDom(0, ((inPairs ? in.depth / 2 : in.depth) + depthLanes - 1) / depthLanes, "depth");
  const Expr at = depths * depthLanes + l;
  if (!isWholeDepth)
    depths.where(at < in.depth);
  row = min(r, in.rows - 1);
  key = min(first + j, in.keys - 1);
  keyIndex = in.firstKey + first + j;
  const Expr keyOfBlock = min(first + block * depthLanes + n, in.keys - 1);
  products(l, r, n, block) += inPairs ? pairDot(queries(at, r), pairAt(in.k, at, keyOfBlock))
                                      : queries(at, r) * in.widened(in.k(at, keyOfBlock));
  laneDots(l, r, n, block) = products(l, r, n, block);
  foldLanes();
  const Expr sum = folds.back()(j % depthLanes, r, 0, j / depthLanes);
  const Expr dot = inPairs ? sum * in.queryFactor : sum;
  // Past the last key the vectors of scores are filled up with hidden ones.
  scores(j, r) = hideUnless(j < keyCount, in.score(dot, row, keyIndex, in.elementsAt(row, key)));
}

/// Adds the lanes of the products of as many keys as there are lanes. A round interleaves the vectors of key
/// n and key n + half and adds the two halves of that, so that the last one yields a vector with a key in
/// each lane, in their order.
void DepthPartBuilder::foldLanes() {
  Func before = laneDots;
  for (int half = depthLanes / 2; half > 0; half /= 2) {
    Func pair("pair"), fold("fold");
    pair(l, r, n, block) = select(l % 2 == 0, before(l / 2, r, n, block), before(l / 2, r, n + half, block));
    fold(l, r, n, block) = pair(l, r, n, block) + pair(l + depthLanes, r, n, block);
    pairs.push_back(pair);
    folds.push_back(before = fold);
  }
}

void DepthPartBuilder::defineWeights() {
  const Expr score = scores(j, r);
  if (in.kernel.unnormalized) {
    largest(r) = number(in.accumulator, 0);
    sum(r) = number(in.accumulator, 0);
    weights(j, r) = choose(isHidden(score), number(in.accumulator, 0), score);
  } else {
    const Expr vectors = (keyCount + lanes - 1) / lanes;
    lane = RDom(0, lanes, "lane");
    maxVectors = RDom(0, vectors, "max_vector");
    laneLargest(l, r) = lowestScore(in.accumulator);
    laneLargest(l, r) = largerOf(laneLargest(l, r), scores(maxVectors * lanes + l, r));
    largest(r) = lowestScore(in.accumulator);
    largest(r) = largerOf(largest(r), laneLargest(lane, r));
    weights(j, r) = exp2NonPositive(strictDifference(score, largest(r)) * in.unit);
    sumVectors = RDom(0, vectors, "sum_vector");
    laneSum(l, r) += weights(sumVectors * lanes + l, r);
    sum(r) += laneSum(lane, r);
  }
  factors = weights;
  if (in.kernel.program.weigh) {
    factors = Func("factors");
    factors(j, r) = in.weighed(weights(j, r), row, keyIndex, in.elementsAt(row, key));
  }
}

void DepthPartBuilder::defineProduct() {
  valueKeys = RDom(0, valueBlock, "value_key");
  const Expr place = block * valueBlock + valueKeys;
  valueKeys.where(valueKeys < keyCount - block * valueBlock);
  if (!isWhole(in.kernel.valueDepth, valueLanes))
    valueKeys.where(x < in.valueDepth);
  if (in.changesScore || in.mayHide) // 0 · v would be NaN where v is not finite
    valueKeys.where(!isHidden(scores(place, r)));
  partial(x, r, block) += factors(place, r) * in.widened(in.v(x, first + place));
  valueBlocks = RDom(0, (keyCount + valueBlock - 1) / valueBlock, "value_block");
  product(x, r) += partial(x, r, valueBlocks);
  partOutput(x, r) = product(x, r);
  partOutput.output_buffer().dim(0).set_bounds(0, in.valueDepth);
  partOutput.output_buffer().dim(1).set_bounds(0, in.rows);
}

void DepthPartBuilder::defineParts() {
  if (in.kernel.hasValue)
    defineProduct();
  partLargest(r) = largest(r);
  partSum(r) = sum(r);
  for (Func *part : {&partLargest, &partSum})
    part->output_buffer().dim(0).set_bounds(0, in.rows).set_stride(Expr());
}

void DepthPartBuilder::scheduleScores() {
  Var jo("jo");
  queries.compute_root().bound(r, 0, rows);
  scores.compute_root().bound(r, 0, rows).split(j, jo, j, lanes, TailStrategy::RoundUp);
  scores.reorder(j, r, jo).vectorize(j, depthLanes).unroll(j);
  for (size_t round = 0; round < folds.size(); ++round)
    for (Func *stage : {&pairs[round], &folds[round]}) {
      const int width = stage == &pairs[round] ? 2 * depthLanes : depthLanes;
      stage->compute_at(scores, r).bound_extent(block, lanes / depthLanes);
      stage->reorder(l, r, n, block).bound(l, 0, width).vectorize(l, width).unroll(r).unroll(n).unroll(block);
    }
  laneDots.compute_at(scores, jo).bound(r, 0, rows).bound(n, 0, depthLanes);
  laneDots.bound_extent(block, lanes / depthLanes).reorder(l, r, n, block).vectorize(l, depthLanes).unroll(r);
  products.compute_at(laneDots, n).vectorize(l, depthLanes).unroll(r);
  products.update().reorder(l, r, depths, n, block).vectorize(l, depthLanes).unroll(r);
  if (isWhole(in.kernel.depth, depthLanes) && *in.kernel.depth <= 256)
    products.update().unroll(depths);
}

void DepthPartBuilder::scheduleWeights() {
  for (Func *stage : {&weights, &factors})
    stage->compute_root().bound(r, 0, rows).reorder(j, r).vectorize(j, lanes, TailStrategy::RoundUp);
  if (in.kernel.unnormalized)
    return;
  for (Func *stage : {&laneLargest, &laneSum}) {
    stage->compute_root().bound(r, 0, rows).vectorize(l, lanes);
    stage->update().reorder(l, r).vectorize(l, lanes).unroll(r);
  }
  largest.compute_root().bound(r, 0, rows);
  sum.compute_root().bound(r, 0, rows);
}

void DepthPartBuilder::scheduleProduct() {
  Var xo("xo"), ro("ro");
  int vectors = 4;
  if (isWhole(in.kernel.valueDepth, valueLanes)) // no vector may reach past the values
    for (vectors = productVectors / productRows; *in.kernel.valueDepth % (vectors * valueLanes) != 0;)
      --vectors;
  const int columns = vectors * valueLanes;
  product.compute_root().bound(r, 0, rows).vectorize(x, columns, TailStrategy::RoundUp);
  product.update().split(x, xo, x, columns, TailStrategy::RoundUp).split(r, ro, r, productRows);
  product.update().reorder(x, r, xo, ro, valueBlocks).vectorize(x, valueLanes).unroll(x).unroll(r);
  partial.compute_at(product, xo).vectorize(x, valueLanes).unroll(x).unroll(r);
  partial.update().reorder(x, r, valueKeys).vectorize(x, valueLanes).unroll(x).unroll(r);
  partOutput.reorder(x, r).vectorize(x, valueLanes, TailStrategy::GuardWithIf);
}

/// Rows of few enough queries need one pass, which memory keeps up with by itself.
std::vector<RowPasses> DepthPartBuilder::passesOverValues() const {
  const int passes = (rows + productRows - 1) / productRows;
  if (!in.kernel.hasValue || !in.kernel.valueDepth || passes == 1)
    return {};
  constexpr int64_t bytesAhead = 8192, line = 64;
  const int64_t rowBytes = *in.kernel.valueDepth * in.kernel.types.v.bytes();
  return {{.operand = in.v.name(),
           .passLoop = ".r.ro",
           .rowLoop = ".value_key",
           .passes = passes,
           .linesPerRow = int((rowBytes + line - 1) / line),
           .rowsAhead = int(std::max<int64_t>(1, bytesAhead / rowBytes))}};
}

TileFunction DepthPartBuilder::build() {
  defineScores();
  defineWeights();
  defineParts();
  scheduleScores();
  scheduleWeights();
  std::vector<Func> outputs = {partLargest, partSum};
  if (in.kernel.hasValue) {
    scheduleProduct();
    outputs.insert(outputs.begin(), partOutput);
  }
  TileFunction function{in.kernel.name, Pipeline(outputs), in.arguments(true), scalars};
  function.rowPasses = passesOverValues();
  return function;
}

/// Parts of all chunks of keys to one result.
class DepthMergeBuilder {
public:
  DepthMergeBuilder(const AttentionKernel &kernel, const CpuTarget &target)
      : in(kernel), lanes(lanesOf(in.accumulator, target.lanes)),
        partOutput(in.accumulator, 3, "part_output"), partLargest(in.accumulator, 2, "part_largest"),
        partSum(in.accumulator, 2, "part_sum") {}

  TileFunction build();

private:
  void defineShares();
  void defineOutput();

  const AttentionOperands in;
  const int lanes;
  ImageParam partOutput, partLargest, partSum;
  Expr chunks, rows;
  Var x{"x"}, r{"r"}, c{"c"};
  Func largest{"largest"}, share{"share"}, sum{"sum"}, total{"total"}, out{"out"};
  std::vector<Func> outputs;
};

void DepthMergeBuilder::defineShares() {
  const RDom maxChunks(0, chunks, "max_chunk"), sumChunks(0, chunks, "sum_chunk");
  const RowState before = initialState(in, r);
  largest(r) = before.largest;
  largest(r) = largerOf(largest(r), partLargest(r, maxChunks));
  share(r, c) = exp2NonPositive(strictDifference(partLargest(r, c), largest(r)) * in.unit);
  sum(r) = before.sum * exp2NonPositive(strictDifference(before.largest, largest(r)) * in.unit);
  sum(r) += share(r, sumChunks) * partSum(r, sumChunks);
  for (Func *stage : {&largest, &share, &sum})
    stage->compute_root();
  const auto finalState = [&](const Expr &row) { return RowState{largest(row), sum(row)}; };
  outputs = defineStatistics(in, rows, finalState, lanes);
}

void DepthMergeBuilder::defineOutput() {
  const Expr valueDepth =
      in.kernel.valueDepth ? Expr(int32_t(*in.kernel.valueDepth)) : partOutput.dim(0).extent();
  RDom outChunks(0, chunks, "out_chunk");
  outChunks.where(x < valueDepth);
  const Expr part = partOutput(x, r, outChunks);
  total(x, r) += in.kernel.unnormalized ? part : share(r, outChunks) * part;
  const Expr value = total(x, r);
  out(x, r) =
      cast(in.kernel.types.output,
           in.kernel.unnormalized
               ? value
               : quotientOrEmpty(value, sum(r), emptyRow(in.accumulator, in.kernel.nanForEmpty, chunks)));
  out.output_buffer().dim(0).set_bounds(0, valueDepth);
  out.output_buffer().dim(1).set_bounds(0, rows);
  total.compute_at(out, r).vectorize(x, lanes, TailStrategy::RoundUp);
  total.update().reorder(x, outChunks, r).vectorize(x, lanes, TailStrategy::RoundUp);
  out.reorder(x, r).vectorize(x, lanes, TailStrategy::GuardWithIf);
  outputs.insert(outputs.begin(), out);
}

TileFunction DepthMergeBuilder::build() {
  for (ImageParam *part : {&partOutput, &partLargest, &partSum})
    for (int axis = 0; axis < part->dimensions(); ++axis)
      part->dim(axis).set_min(0);
  for (ImageParam *part : {&partLargest, &partSum})
    part->dim(0).set_stride(Expr());
  chunks = partLargest.dim(1).extent();
  rows = partLargest.dim(0).extent();
  if (!in.kernel.unnormalized)
    defineShares();
  if (in.kernel.hasValue)
    defineOutput();
  std::vector<Argument> arguments = in.headArguments();
  if (in.kernel.hasValue)
    arguments.push_back(partOutput);
  arguments.push_back(partLargest);
  arguments.push_back(partSum);
  if (in.kernel.hasSink)
    arguments.push_back(in.sink);
  return {in.kernel.name, Pipeline(outputs), arguments};
}

} // namespace

TileFunction buildDepthPart(const AttentionKernel &kernel, int rows, int keyChunk, const CpuTarget &target) {
  return DepthPartBuilder(kernel, rows, keyChunk, target).build();
}

TileFunction buildDepthMerge(const AttentionKernel &kernel, int, const CpuTarget &target) {
  return DepthMergeBuilder(kernel, target).build();
}

} // namespace heed::kernels
