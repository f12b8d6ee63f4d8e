#include "AttentionResults.h"
#include "Numerics.h"
#include "RowsChunks.h"
#include "Transpose.h"

#include <algorithm>
#include <memory>

using namespace Halide;

namespace heed::kernels {

namespace {

/// Value columns that share one rescaling: several register tiles of them, as long as no column is added.
int columnsOfGroup(const std::optional<int64_t> &valueDepth, int valueTile) {
  for (int tiles = 4; valueDepth && tiles > 1; --tiles)
    if ((*valueDepth + valueTile - 1) / valueTile % tiles == 0)
      return tiles * valueTile;
  return valueTile;
}

/// One block of query rows, query rows in lanes: queries, then chunks of keys merged one by one, then the
/// results.
class RowsBuilder {
public:
  RowsBuilder(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
      : in(kernel, false, target.dotsBf16), tile(tile), lanes(lanesOf(in.accumulator, target.lanes)),
        groupColumns(columnsOfGroup(kernel.valueDepth, tile.valueTile)),
        by(tile.vectors > 1 ? Transpose::By::Square : Transpose::By::Element),
        queries(
            "queries", by, lanes,
            [&](const Expr &d, const Expr &row) {
              return in.dotsScores ? in.queryPair(d, row) : in.query(d, row);
            },
            isWhole(kernel.depth, in.dotsScores ? 2 * lanes : lanes) ? std::nullopt
                                                                     : std::optional(querySteps())) {}

  TileFunction build();

private:
  Expr querySteps() const { return in.dotsScores ? (in.depth + 1) / 2 : in.depth; }
  void chooseChunks();
  void chooseListed();
  KeyRange wholePairs(const KeyRange &keys, const KeyRange &whole) const;
  RowsTile narrowed() const;
  void addChunks(const ChunkKeys &of);
  void defineState();
  void defineMerge(const RowsChunks &chunk, const RDom &c);
  Expr stateAt(int part, const Expr &row, const Expr &group) const;
  void defineOutput();
  void schedule();
  void scheduleOutput();
  std::vector<Argument> arguments() const;

  static bool isMultiple(const std::optional<int64_t> &extent, int of) { return extent && *extent % of == 0; }
  static bool isWhole(const std::optional<int64_t> &extent, int of) { return isMultiple(extent, of); }
  /// The state is a tuple: largest score and sum, unless nothing is normalized, then value columns.
  int columnsAt() const { return in.kernel.unnormalized ? 0 : 2; }
  int columns() const { return in.kernel.hasValue ? groupColumns : 0; }
  Expr groups() const { return in.kernel.hasValue ? (in.valueDepth + groupColumns - 1) / groupColumns : 1; }

  const AttentionOperands in;
  const RowsTile &tile;
  const int lanes, groupColumns;
  const Transpose::By by;

  Var r{"r"}, x{"x"}, g{"g"};
  Func state{"state"}, merged{"merged"}, out{"out"};
  Transpose queries;                ///< (row, d)
  std::optional<Transpose> results; ///< (value column, row)
  OpaqueScalars scalars;
  std::vector<std::unique_ptr<RowsChunks>> chunks;
  std::vector<RDom> loops; ///< over the chunks of each list
  std::vector<Func> outputs;
};

/// Of keys within others, those in whole pairs. The last key may be without a second one.
KeyRange RowsBuilder::wholePairs(const KeyRange &keys, const KeyRange &whole) const {
  const Expr first = min((keys.first + 1) / 2 * 2, whole.end);
  return {first, max(first, select(keys.end == in.keys, keys.end, keys.end / 2 * 2))};
}

/// Keys that every row sees are apart from those that some row may not see: only the latter pay for the mask.
void RowsBuilder::chooseChunks() {
  if (in.kernel.listed)
    return chooseListed();
  KeyRange visible = in.visibleKeys(in.keys);
  if (in.kernel.pairedValues) // chunks begin with a pair
    visible.first = visible.first / 2 * 2;
  const Expr begin = scalars.derive("first_visible", visible.first),
             end = scalars.derive("end_visible", visible.end);
  if (!in.mayHide)
    return addChunks({{begin, end}, {}, true, {}, {}});
  if (!in.kernel.program.fullKeys)
    return addChunks({{begin, end}, {}, false, {}, {}});
  KeyRange full = in.fullKeys(visible);
  if (Internal::can_prove(full.first >= full.end))
    return addChunks({{begin, end}, {}, false, {}, {}});
  const bool hasLeft = !Internal::can_prove(visible.first == full.first);
  if (in.kernel.pairedValues)
    full = wholePairs(full, visible);
  const bool hasRight = !Internal::can_prove(visible.end == full.end);
  const Expr fullBegin = scalars.derive("first_full", full.first),
             fullEnd = scalars.derive("end_full", full.end);
  addChunks({{fullBegin, fullEnd}, {}, true, {}, {}});
  const KeyRange left{begin, fullBegin}, right{fullEnd, end};
  if (hasLeft && hasRight)
    addChunks({left, right, false, {}, {}});
  else if (hasLeft || hasRight)
    addChunks({hasLeft ? left : right, {}, false, {}, {}});
}

/// The list's full blocks, then its others. Only the very last block of keys may not be whole; it is then the
/// last of the list, and only its keys count.
void RowsBuilder::chooseListed() {
  const Expr full = scalars.derive("full_blocks", in.counts(0)),
             partial = scalars.derive("partial_blocks", in.counts(1));
  const Expr missing = max((in.list(full + partial - 1) + 1) * keyBlock - in.keys, 0);
  const Expr fullEnd = scalars.derive("end_full", full * keyBlock);
  const Expr end =
      scalars.derive("end_partial", Internal::Call::make(Int(32), Internal::Call::if_then_else,
                                                         {partial > 0, partial * keyBlock - missing, Expr(0)},
                                                         Internal::Call::PureIntrinsic));
  addChunks({{0, fullEnd}, {}, true, 0, full});
  addChunks({{0, end}, {}, false, full, partial});
}

/// Fewer rows with the same registers, so that more of what a mask hides is left out.
RowsTile RowsBuilder::narrowed() const {
  for (int factor : {4, 2}) {
    const bool fits = tile.vectors % factor == 0 && lanes % (factor * tile.keyTile) == 0;
    const int vectors = tile.vectors / factor;
    const RowsTile narrow = {tile.queryBlock,
                             tile.keyChunk,
                             vectors,
                             factor * tile.keyTile,
                             std::max(factor * tile.valueVectors * tile.valueTile / tile.vectors, 1),
                             vectors};
    const bool addsColumns = in.kernel.hasValue && !isMultiple(in.kernel.valueDepth, narrow.valueTile);
    if (fits && (factor == 2 || !addsColumns))
      return narrow;
  }
  return tile;
}

void RowsBuilder::addChunks(const ChunkKeys &of) {
  const RowsTile narrow = of.knownVisible || in.kernel.listed ? tile : narrowed();
  chunks.push_back(std::make_unique<RowsChunks>(in, narrow, lanes, queries.result, of, scalars));
  loops.emplace_back(0, chunks.back()->count(), of.knownVisible ? "chunk" : "masked_chunk");
}

/// Largest score, sum and one group of value columns stay together, so that all take the same rescaling.
void RowsBuilder::defineState() {
  std::vector<Expr> initial;
  if (!in.kernel.unnormalized) {
    const RowState before = initialState(in, r);
    initial = {before.largest, before.sum};
  }
  initial.resize(columnsAt() + columns(), number(in.accumulator, 0));
  state(r, g) = Tuple(initial);
  for (size_t n = 0; n < chunks.size(); ++n)
    defineMerge(*chunks[n], loops[n]);
}

void RowsBuilder::defineMerge(const RowsChunks &chunk, const RDom &c) {
  std::vector<Expr> next;
  Expr rescale, share;
  if (!in.kernel.unnormalized) {
    const Expr before = stateAt(0, r, g);
    const Expr largest = largerOf(before, chunk.largest(r, c));
    rescale = exp2NonPositive(strictDifference(before, largest) * in.unit);
    share = exp2NonPositive(strictDifference(chunk.largest(r, c), largest) * in.unit);
    next = {largest, stateAt(1, r, g) * rescale + chunk.sum(r, c) * share};
  }
  for (int n = 0; n < columns(); ++n) {
    const Expr before = stateAt(columnsAt() + n, r, g), more = chunk.output(r, g * groupColumns + n, c);
    next.push_back(in.kernel.unnormalized ? before + more : before * rescale + more * share);
  }
  state(r, g) = Tuple(next);
}

Expr RowsBuilder::stateAt(int part, const Expr &row, const Expr &group) const {
  return columnsAt() + columns() == 1 ? Expr(state(row, group)) : state(row, group)[part];
}

void RowsBuilder::defineOutput() {
  if (in.kernel.hasValue) {
    std::vector<Expr> values;
    for (int n = 0; n < groupColumns; ++n) {
      const Expr value = stateAt(columnsAt() + n, r, x / groupColumns);
      values.push_back(in.kernel.unnormalized
                           ? value
                           : quotientOrEmpty(value, stateAt(1, r, x / groupColumns),
                                             emptyRow(in.accumulator, in.kernel.nanForEmpty, in.keys)));
    }
    merged(r, x) = mux(x % groupColumns, values);
    results.emplace("results", by, lanes, [&](const Expr &row, const Expr &column) {
      return merged(row, min(column, in.valueDepth - 1));
    });
    out(x, r) = cast(in.kernel.types.output, results->result(x, r));
    out.output_buffer().dim(0).set_bounds(0, in.valueDepth);
    out.output_buffer().dim(1).set_bounds(0, in.rows);
    outputs.push_back(out);
  }
  if (in.kernel.unnormalized)
    return;
  const auto finalState = [&](const Expr &row) { return RowState{stateAt(0, row, 0), stateAt(1, row, 0)}; };
  for (const Func &statistic : defineStatistics(in, in.rows, finalState, lanes))
    outputs.push_back(statistic);
}

void RowsBuilder::schedule() {
  queries.schedule(LoopLevel::root());
  state.compute_root().bound(r, 0, tile.queryBlock).bound(g, 0, groups());
  state.reorder(r, g).vectorize(r, lanes);
  for (size_t n = 0; n < chunks.size(); ++n) {
    // A loop of its own for whole chunks pays where no program is evaluated.
    const bool isPlain = !chunks[n]->appliesProgram() && !in.kernel.listed;
    const Partition partition = isPlain ? Partition::Auto : Partition::Never;
    state.update(int(n)).reorder(r, g, loops[n]).vectorize(r, lanes).partition(loops[n], partition);
    chunks[n]->schedule(state, loops[n]);
  }
  if (in.kernel.hasValue)
    scheduleOutput();
}

void RowsBuilder::scheduleOutput() {
  Var xo("xo");
  if (by == Transpose::By::Square)
    results->schedule(LoopLevel::root());
  merged.compute_root().bound(r, 0, tile.queryBlock);
  merged.split(x, xo, x, groupColumns, TailStrategy::RoundUp).reorder(r, x, xo).vectorize(r, lanes).unroll(x);
  out.reorder(x, r).vectorize(x, lanes, TailStrategy::GuardWithIf);
}

std::vector<Argument> RowsBuilder::arguments() const {
  std::vector<Argument> arguments = in.arguments(false);
  if (in.kernel.hasSink)
    arguments.push_back(in.sink);
  if (in.kernel.listed) {
    arguments.push_back(in.list);
    arguments.push_back(in.counts);
  }
  if (in.kernel.pairedValues)
    arguments.push_back(in.pairs);
  return arguments;
}

TileFunction RowsBuilder::build() {
  chooseChunks();
  defineState();
  defineOutput();
  schedule();
  TileFunction function{in.kernel.name, Pipeline(outputs), arguments(), scalars};
  function.prefetchesValues =
      in.kernel.hasValue && in.kernel.depth && in.kernel.depth == in.kernel.valueDepth;
  for (const auto &chunk : chunks) {
    for (const FusedFold &fold : chunk->folds())
      function.folds.push_back(fold);
    for (const SharedMemory &shared : chunk->shared())
      function.shared.push_back(shared);
  }
  return function;
}

} // namespace

TileFunction buildAttentionRows(const AttentionKernel &kernel, const RowsTile &tile,
                                const CpuTarget &target) {
  return RowsBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
