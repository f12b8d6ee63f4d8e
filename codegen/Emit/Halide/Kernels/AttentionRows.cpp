#include "Numerics.h"
#include "RowsChunks.h"
#include "Transpose.h"

#include <memory>

using namespace Halide;

namespace heed::kernels {

namespace {

/// One block of query rows, query rows in lanes: queries, then chunks of keys merged one by one, then the
/// output.
class RowsBuilder {
public:
  RowsBuilder(const AttentionKernel &kernel, const RowsTile &tile, const CpuTarget &target)
      : in(kernel), tile(tile), lanes(target.lanes),
        by(tile.vectors > 1 ? Transpose::By::Square : Transpose::By::Element),
        queries(
            "queries", by, lanes, [&](const Expr &d, const Expr &row) { return in.query(d, row); },
            isWhole(kernel.depth) ? std::nullopt : std::optional(in.depth)) {}

  TileFunction build();

private:
  void chooseChunks();
  void addChunks(const KeyRange &keys, bool knownVisible);
  void defineState();
  void defineMerge(const RowsChunks &chunk, const RDom &c);
  void defineOutput();
  void schedule();

  bool isWhole(const std::optional<int64_t> &extent) const { return extent && *extent % lanes == 0; }

  const AttentionOperands in;
  const RowsTile &tile;
  const int lanes;
  const Transpose::By by;

  Var r{"r"}, x{"x"}, g{"g"};
  Func state{"state"}, merged{"merged"}, out{"out"};
  Transpose queries;                ///< (row, d)
  std::optional<Transpose> results; ///< (value column, row)
  OpaqueScalars scalars;
  std::vector<std::unique_ptr<RowsChunks>> chunks;
  std::vector<RDom> loops; ///< over the chunks of each list
};

/// Keys that every row sees are apart from those that some row may not see: only the latter pay for the mask.
void RowsBuilder::chooseChunks() {
  const KeyRange visible = in.visibleKeys(in.keys);
  const Expr begin = scalars.derive("first_visible", visible.first),
             end = scalars.derive("end_visible", visible.end);
  if (!in.mayHide)
    return addChunks({begin, end}, true);
  if (!in.kernel.program.fullKeys)
    return addChunks({begin, end}, false);
  const KeyRange full = in.fullKeys(visible);
  if (Internal::can_prove(full.first >= full.end))
    return addChunks({begin, end}, false);
  const Expr fullBegin = scalars.derive("first_full", full.first),
             fullEnd = scalars.derive("end_full", full.end);
  if (!Internal::can_prove(visible.first == full.first))
    addChunks({begin, fullBegin}, false);
  addChunks({fullBegin, fullEnd}, true);
  if (!Internal::can_prove(visible.end == full.end))
    addChunks({fullEnd, end}, false);
}

void RowsBuilder::addChunks(const KeyRange &keys, bool knownVisible) {
  chunks.push_back(
      std::make_unique<RowsChunks>(in, tile, lanes, queries.result, keys, knownVisible, scalars));
  loops.emplace_back(0, chunks.back()->count(), knownVisible ? "chunk" : "masked_chunk");
}

/// Largest score, sum and one group of value columns stay together, so that all take the same rescaling.
void RowsBuilder::defineState() {
  std::vector<Expr> initial = {lowestScore(), 0.0f};
  initial.resize(2 + tile.valueTile, 0.0f);
  state(r, g) = Tuple(initial);
  for (size_t n = 0; n < chunks.size(); ++n)
    defineMerge(*chunks[n], loops[n]);
}

void RowsBuilder::defineMerge(const RowsChunks &chunk, const RDom &c) {
  const FuncRef old = state(r, g);
  const Expr largest = largerOf(old[0], chunk.largest(r, c));
  const Expr rescale = exp2NonPositive(strictDifference(old[0], largest) * in.unit);
  const Expr share = exp2NonPositive(strictDifference(chunk.largest(r, c), largest) * in.unit);
  std::vector<Expr> next = {largest, old[1] * rescale + chunk.sum(r, c) * share};
  for (int n = 0; n < tile.valueTile; ++n)
    next.push_back(old[2 + n] * rescale + chunk.output(r, g * tile.valueTile + n, c) * share);
  state(r, g) = Tuple(next);
}

void RowsBuilder::defineOutput() {
  const FuncRef done = state(r, x / tile.valueTile);
  std::vector<Expr> columns;
  for (int n = 0; n < tile.valueTile; ++n)
    columns.push_back(quotientOrZero(done[2 + n], done[1]));
  merged(r, x) = mux(x % tile.valueTile, columns);
  results.emplace("results", by, lanes, [&](const Expr &row, const Expr &column) {
    return merged(row, min(column, in.valueDepth - 1));
  });
  out(x, r) = cast(in.kernel.element, results->result(x, r));
  out.output_buffer().dim(0).set_bounds(0, in.valueDepth);
  out.output_buffer().dim(1).set_bounds(0, in.rows);
}

void RowsBuilder::schedule() {
  Var xo("xo");
  queries.schedule(LoopLevel::root());
  if (by == Transpose::By::Square)
    results->schedule(LoopLevel::root());
  state.compute_root().reorder(r, g).vectorize(r, lanes);
  for (size_t n = 0; n < chunks.size(); ++n) {
    // A loop of its own for whole chunks pays where no program is evaluated.
    const Partition partition = chunks[n]->appliesProgram() ? Partition::Never : Partition::Auto;
    state.update(int(n)).reorder(r, g, loops[n]).vectorize(r, lanes).partition(loops[n], partition);
    chunks[n]->schedule(state, loops[n]);
  }
  merged.compute_root().bound(r, 0, tile.queryBlock);
  merged.split(x, xo, x, tile.valueTile, TailStrategy::RoundUp)
      .reorder(r, x, xo)
      .vectorize(r, lanes)
      .unroll(x);
  out.reorder(x, r).vectorize(x, lanes, TailStrategy::GuardWithIf);
}

TileFunction RowsBuilder::build() {
  chooseChunks();
  defineState();
  defineOutput();
  schedule();
  return {in.kernel.name, Pipeline(out), in.arguments(false), scalars};
}

} // namespace

TileFunction buildAttentionRows(const AttentionKernel &kernel, const RowsTile &tile,
                                const CpuTarget &target) {
  return RowsBuilder(kernel, tile, target).build();
}

} // namespace heed::kernels
