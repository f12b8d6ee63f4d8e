#include "Attention.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// The pipeline of one block of query rows, stage by stage in the order of computation.
class RowsBuilder {
public:
  RowsBuilder(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
      : kernel(kernel), tile(tile), lanes(target.lanes), q(kernel.element, 2, "q"), k(kernel.element, 2, "k"),
        v(kernel.element, 2, "v") {}

  TileFunction build();

private:
  void describeOperands();
  void describeKeyRange();
  ScoreAndVisible applyProgram(const Expr &score, const Expr &key);
  void defineScores();
  void defineWeights();
  void defineOutput();
  void schedule();

  Expr keyOf(const Expr &chunk, const Expr &j) const { return first + chunk * tile.keyChunk + j; }
  Expr chunkKeys(const Expr &chunk) const { return min(tile.keyChunk, keyCount - chunk * tile.keyChunk); }

  const AttentionKernel &kernel;
  const RowsTile &tile;
  const int lanes;

  Param<int32_t> batch{"batch"}, head{"head"}, firstQuery{"first_query"};
  std::vector<Param<int32_t>> extentParams;
  std::vector<Expr> extents;
  ImageParam q, k, v;
  std::vector<ImageParam> captures;
  Expr rows, keys, depth, valueDepth;
  Expr first, keyCount; // the visible keys are [first, first + keyCount)
  // Weights are 2^(unit · score). Where no program sees the score, log2 e goes into the queries and unit
  // is 1.
  Expr unit;

  Var r{"r"}, j{"j"}, c{"c"}, x{"x"}, d{"d"}, g{"g"}, i{"i"};
  RDom depths, maxKeys, sumKeys, valueKeys, chunks;
  Func queries{"queries"}, dot{"dot"}, scores{"scores"}, largest{"largest"}, weights{"weights"}, sum{"sum"},
      partial{"partial"}, chunkOutput{"chunk_output"}, state{"state"}, merged{"merged"}, out{"out"};
};

void RowsBuilder::describeOperands() {
  for (int n = 0; n < kernel.program.extents; ++n) {
    extentParams.emplace_back("extent_" + std::to_string(n));
    extents.push_back(extentParams.back());
  }
  for (size_t n = 0; n < kernel.program.captures.size(); ++n) {
    captures.emplace_back(kernel.program.captures[n], 2, "capture_" + std::to_string(n));
    captures.back().dim(0).set_min(0).set_stride(Expr());
    captures.back().dim(1).set_min(0);
  }
  for (ImageParam *operand : {&q, &k, &v})
    for (int axis : {0, 1})
      operand->dim(axis).set_min(0);
  rows = q.dim(1).extent();
  keys = k.dim(1).extent();
  depth = kernel.depth ? Expr(int32_t(*kernel.depth)) : q.dim(0).extent();
  valueDepth = kernel.valueDepth ? Expr(int32_t(*kernel.valueDepth)) : v.dim(0).extent();
}

void RowsBuilder::describeKeyRange() {
  first = 0;
  keyCount = keys;
  if (!kernel.program.visibleKeys)
    return;
  const KeyRange range = kernel.program.visibleKeys(firstQuery, firstQuery + rows - 1, keys, extents);
  first = clamp(range.first, 0, keys);
  keyCount = max(min(range.end, keys) - first, 0);
}

ScoreAndVisible RowsBuilder::applyProgram(const Expr &score, const Expr &key) {
  if (!kernel.program.apply)
    return {score, Expr()};
  std::vector<Expr> elements;
  for (ImageParam &capture : captures)
    elements.push_back(capture(key, min(r, rows - 1)));
  return kernel.program.apply(score, batch, head, firstQuery + r, key, elements, extents);
}

void RowsBuilder::defineScores() {
  const Expr key = min(keyOf(c, j), keys - 1);
  const Expr anyScore = Internal::Variable::make(Float(32), "score");
  const bool keepsScore = Internal::equal(applyProgram(anyScore, key).score, anyScore);
  unit = float(keepsScore ? 1 : log2e);
  queries(r, d) = cast<float>(q(d, min(r, rows - 1))) * float(kernel.scale * (keepsScore ? log2e : 1));
  depths = RDom(0, depth, "depth");
  dot(r, j, c) += queries(r, depths) * cast<float>(k(depths, key));
  const ScoreAndVisible result = applyProgram(dot(r, j, c), key);
  scores(r, j, c) = result.visible.defined() ? hideUnless(result.visible, result.score) : result.score;
}

void RowsBuilder::defineWeights() {
  maxKeys = RDom(0, tile.keyChunk, "max_key");
  maxKeys.where(maxKeys < chunkKeys(c));
  largest(r, c) = lowestScore();
  largest(r, c) = largerOf(largest(r, c), scores(r, maxKeys, c));
  weights(r, j, c) = exp2NonPositive(strictDifference(scores(r, j, c), largest(r, c)) * unit);
  sumKeys = RDom(0, tile.keyChunk, "sum_key");
  sumKeys.where(sumKeys < chunkKeys(c));
  sum(r, c) += weights(r, sumKeys, c);
}

void RowsBuilder::defineOutput() {
  valueKeys = RDom(0, tile.keyChunk, "value_key");
  valueKeys.where(valueKeys < chunkKeys(c));
  partial(r, x, c) += weights(r, valueKeys, c) * cast<float>(v(min(x, valueDepth - 1), keyOf(c, valueKeys)));
  chunkOutput(r, x, c) = partial(r, x, c);

  // Maximum, sum and one group of value columns together, so that all take the same rescaling.
  const int width = tile.valueTile;
  std::vector<Expr> initial = {lowestScore(), 0.0f};
  initial.resize(2 + width, 0.0f);
  state(r, g) = Tuple(initial);
  chunks = RDom(0, (keyCount + tile.keyChunk - 1) / tile.keyChunk, "chunk");
  const FuncRef old = state(r, g);
  const Expr newLargest = largerOf(old[0], largest(r, chunks));
  const Expr rescale = exp2NonPositive(strictDifference(old[0], newLargest) * unit);
  const Expr share = exp2NonPositive(strictDifference(largest(r, chunks), newLargest) * unit);
  std::vector<Expr> next = {newLargest, old[1] * rescale + sum(r, chunks) * share};
  for (int n = 0; n < width; ++n)
    next.push_back(old[2 + n] * rescale + chunkOutput(r, g * width + n, chunks) * share);
  state(r, g) = Tuple(next);

  const FuncRef done = state(r, x / width);
  std::vector<Expr> columns;
  for (int n = 0; n < width; ++n)
    columns.push_back(quotientOrZero(done[2 + n], done[1]));
  merged(r, x) = mux(x % width, columns);
  out(x, r) = merged(r, x);
  out.output_buffer().dim(0).set_bounds(0, valueDepth);
  out.output_buffer().dim(1).set_bounds(0, rows);
}

void RowsBuilder::schedule() {
  const int rowsPerTile = lanes * tile.vectors;
  Var rv("rv"), jo("jo"), xo("xo");
  queries.compute_root().bound(r, 0, tile.queryBlock).reorder(r, d).vectorize(r, lanes);
  out.reorder(x, r).vectorize(x, lanes, TailStrategy::GuardWithIf);
  merged.compute_root().bound(r, 0, tile.queryBlock);
  merged.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp)
      .reorder(r, x, xo)
      .vectorize(r, lanes)
      .unroll(x);
  state.compute_root().reorder(r, g).vectorize(r, lanes);
  state.update().reorder(r, g, chunks).vectorize(r, lanes);

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
  chunkOutput.compute_at(state, chunks).split(r, rv, r, rowsPerTile);
  chunkOutput.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp).reorder(r, x, rv, xo);
  chunkOutput.vectorize(r, lanes).unroll(r).unroll(x);
  partial.compute_at(chunkOutput, rv).vectorize(r, lanes).unroll(r).unroll(x);
  partial.update().reorder(r, x, valueKeys).vectorize(r, lanes).unroll(r).unroll(x);
}

TileFunction RowsBuilder::build() {
  describeOperands();
  describeKeyRange();
  defineScores();
  defineWeights();
  defineOutput();
  schedule();
  std::vector<Argument> arguments = {batch, head, firstQuery};
  arguments.insert(arguments.end(), extentParams.begin(), extentParams.end());
  for (const ImageParam &operand : {q, k, v})
    arguments.push_back(operand);
  arguments.insert(arguments.end(), captures.begin(), captures.end());
  return {kernel.name, Pipeline(out), arguments};
}

} // namespace

TileFunction buildAttentionRows(const AttentionKernel &kernel, const RowsTile &tile,
                                const CpuTarget &target) {
  return RowsBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
