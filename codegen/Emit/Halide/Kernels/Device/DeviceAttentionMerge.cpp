#include "Attention.h"

#include "DeviceAttentionOperands.h"
#include "DeviceMath.h"
#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Of a row: the largest score and the sum of the weights, unless nothing is normalized; then an element of
/// the output, if that is wanted.
using State = std::vector<Expr>;

/// Parts to one result. A block of threads has as many neighbours along the result's innermost axis, columns
/// or rows, and each of these several threads, which take every so manieth part.
class MergeBuilder {
public:
  MergeBuilder(const AttentionKernel &kernel, const DeviceTarget &target, bool isOutput)
      : in(kernel), target(target), isOutput(isOutput), lines(kernel.unnormalized ? 0 : 1),
        parts(in.accumulator, 3 + lines, in.gridRank, "parts"), count(parts.extent(2 + lines)),
        place({Var("batch"), Var("head")}) {
    if (kernel.grouped)
      place.emplace_back(kernel.memberRows ? "query" : "member");
    others = place;
    if (isOutput)
      others.push_back(row);
  }

  DeviceFunction build();

private:
  static constexpr int neighbours = 32, lanes = 8;

  State ofPart(const Expr &part, const Expr &inner) const;
  State joined(const State &a, const State &b) const;
  State valuesOf(const FuncRef &reference) const;
  void defineLanes();
  State merged() const;
  void defineResult();
  void schedule();

  HeadPlace head() const { return {std::vector<Expr>(place.begin(), place.end())}; }
  template <class T> std::vector<T> withOthers(std::vector<T> first) const {
    first.insert(first.end(), others.begin(), others.end());
    return first;
  }

  const DeviceAttentionOperands in;
  const DeviceTarget &target;
  const bool isOutput;
  const int lines; ///< 1 if the parts have lines
  const DeviceOperand parts;
  const Expr count;                                    ///< of parts
  Var x{"x"}, lane{"lane"}, innerBlock{"inner_block"}; ///< a thread, a block along the innermost axis
  Var column{"column"}, row{"row"}, grid{"grid"}, blocks{"blocks"}, heads{"heads"};
  std::vector<Var> place, others;                ///< others: what a block of threads has one of
  Func ofThread{"of_thread"}, ofLane{"of_lane"}; ///< (x, lane, innerBlock, others…)
  Func result;
};

State MergeBuilder::ofPart(const Expr &part, const Expr &inner) const {
  const GridIndices tile = in.tile(head());
  const Expr ofRow = isOutput ? Expr(row) : inner;
  if (lines == 0)
    return {parts({inner, ofRow, part}, tile)};
  State state = {parts({0, 1, ofRow, part}, tile), parts({1, 1, ofRow, part}, tile)};
  if (isOutput)
    state.push_back(parts({inner, 0, ofRow, part}, tile));
  return state;
}

State MergeBuilder::joined(const State &a, const State &b) const {
  if (lines == 0)
    return {a[0] + b[0]};
  const Expr largest = largerOf(a[0], b[0]);
  const auto shareOf = [&](const State &state) {
    return exp2OnDevice(strictDifference(state[0], largest) * in.unit);
  };
  State state = {largest};
  for (size_t n = 1; n < a.size(); ++n)
    state.push_back(a[n] * shareOf(a) + b[n] * shareOf(b));
  return state;
}

State MergeBuilder::valuesOf(const FuncRef &reference) const {
  if (lines == 0)
    return {Expr(reference)};
  State state;
  for (int n = 0; n < (isOutput ? 3 : 2); ++n)
    state.push_back(reference[n]);
  return state;
}

/// What every thread makes of its own parts, for all to see.
void MergeBuilder::defineLanes() {
  State none;
  if (lines > 0)
    none = {lowestScore(in.accumulator), number(in.accumulator, 0)};
  if (isOutput)
    none.push_back(number(in.accumulator, 0));
  const std::vector<Var> args = withOthers<Var>({x, lane, innerBlock});
  const Expr last = max(parts.extent(isOutput ? 0 : 1 + lines) - 1, 0);
  RDom steps(0, (count + lanes - 1) / lanes, "step");
  const Expr part = steps * lanes + lane;
  steps.where(part < count);
  const State next =
      ofPart(unsafe_promise_clamped(part, 0, count - 1), min(innerBlock * neighbours + x, last));
  if (lines == 0) {
    ofThread(args) = none[0];
    ofThread(args) = joined(valuesOf(ofThread(args)), next)[0];
    ofLane(args) = ofThread(args);
  } else {
    ofThread(args) = Tuple(none);
    ofThread(args) = Tuple(joined(valuesOf(ofThread(args)), next));
    ofLane(args) = Tuple(valuesOf(ofThread(args)));
  }
}

/// The state of a place of the result: the sink's, if there is one, and every lane's.
State MergeBuilder::merged() const {
  const Expr inner = isOutput ? column : row;
  State state;
  if (in.kernel.hasSink) {
    const RowState before = in.initialState(head(), row);
    state = {before.largest, before.sum};
    if (isOutput)
      state.push_back(number(in.accumulator, 0));
  }
  for (int number = 0; number < lanes; ++number) {
    const State other = valuesOf(ofLane(withOthers<Expr>({inner % neighbours, number, inner / neighbours})));
    state = state.empty() ? other : joined(state, other);
  }
  return state;
}

void MergeBuilder::defineResult() {
  const State state = merged();
  std::vector<Var> args = in.gridOrder(place, grid);
  args.insert(args.begin(), row);
  if (isOutput) {
    args.insert(args.begin(), column);
    const Expr empty = emptyRow(in.accumulator, in.kernel.nanForEmpty, count);
    result = Func("out");
    result(args) =
        cast(in.kernel.types.output, lines == 0 ? state[0] : quotientOrEmpty(state[2], state[1], empty));
    result.output_buffer().dim(0).set_stride(1);
    return;
  }
  result = Func("statistics");
  result(args) = Tuple(in.statistics({state[0], state[1]}));
  for (OutputImageParam &buffer : result.output_buffers())
    buffer.dim(0).set_stride(Expr());
}

/// All batches are one axis of the grid, heads another one, and rows the third.
void MergeBuilder::schedule() {
  for (int axis = 0; axis < result.dimensions(); ++axis) // the first output's bind the others'
    result.output_buffers()[0].dim(axis).set_min(0);
  std::vector<VarOrRVar> order = {x, innerBlock, grid, place[0]};
  order.insert(order.end(), place.rbegin(), place.rend() - 1);
  if (isOutput)
    order.push_back(row);
  result.split(isOutput ? column : row, innerBlock, x, neighbours, TailStrategy::GuardWithIf);
  result.reorder(order).fuse(innerBlock, grid, blocks).fuse(blocks, place[0], blocks);
  if (place.size() > 2)
    result.fuse(place[2], place[1], heads);
  else
    heads = place[1];
  if (isOutput)
    result.gpu_blocks(blocks, heads, row, target.api);
  else
    result.gpu_blocks(blocks, heads, target.api);
  result.gpu_threads(x, target.api).never_partition_all();

  ofLane.compute_at(result, blocks).store_in(MemoryType::GPUShared);
  ofLane.bound(x, 0, neighbours).bound(lane, 0, lanes).bound_extent(innerBlock, 1);
  for (const Var &other : others)
    ofLane.bound_extent(other, 1);
  ofLane.gpu_threads(x, lane, target.api).never_partition_all();
  ofThread.compute_at(ofLane, x).never_partition_all();
  ofThread.update().never_partition_all();
}

DeviceFunction MergeBuilder::build() {
  defineLanes();
  defineResult();
  schedule();
  DeviceFunction function;
  function.name = in.kernel.name;
  in.append(function, parts);
  if (in.kernel.hasSink)
    in.append(function, in.sink);
  for (const OutputImageParam &buffer : result.output_buffers())
    function.operands.push_back(buffer.name());
  function.pipeline = Pipeline(result);
  return function;
}

} // namespace

DeviceFunction buildDeviceMerge(const AttentionKernel &kernel, const DeviceTarget &target) {
  return MergeBuilder(kernel, target, /*isOutput=*/true).build();
}

DeviceFunction buildDeviceMergedStatistics(const AttentionKernel &kernel, const DeviceTarget &target) {
  return MergeBuilder(kernel, target, /*isOutput=*/false).build();
}

} // namespace heed::kernels
