#include "Attention.h"

#include "DeviceAttentionChunks.h"
#include "DeviceMath.h"
#include "Numerics.h"
#include "RegisterArrays.h"

#include <memory>

using namespace Halide;

namespace heed::kernels {

namespace {

/// A block of query rows: the loop over its keys, then the results.
class AttentionBuilder {
public:
  AttentionBuilder(const AttentionKernel &kernel, const DeviceAttentionTile &tile, const DeviceTarget &target,
                   int partKeys = 0)
      : block(kernel, tile, target, partKeys) {}

  DeviceFunction build();

private:
  std::vector<Expr> initial() const;
  void defineState();
  void defineAgain(const Expr &count);
  void defineSum();
  void defineOutput();
  void definePart();
  void defineStatistics();
  void scheduleBlock(const std::vector<VarOrRVar> &ofThread);
  void scheduleOutput();
  void scheduleStatistics();
  void scheduleState();
  DeviceFunction function() const;

  /// Whether values of hidden pairs may have spoilt the result, and it is then computed anew.
  bool mayRepeat() const { return block.mayHide() && block.in.kernel.hasValue; }
  std::vector<Expr> ofRow(const Expr &row, std::vector<Expr> thread) const;
  Expr sumOfColumn(const std::vector<Expr> &where) const;
  std::vector<Var> indices(std::vector<Var> ofKernel) const;
  Expr stateAt(int part, const std::vector<Expr> &where) const {
    return block.parts() == 1 ? Expr(block.state(where)) : block.state(where)[part];
  }

  AttentionBlock block;
  Func range{"range"}; ///< (x, y): first key, number of chunks
  std::unique_ptr<AttentionChunks> chunks, carefulChunks;
  Func spoilt{"spoilt"}, again{"again"}; ///< (x, y): of the thread; chunks to compute anew
  Func largestOfThread{"final_largest"}, sumOfThread{"final_sum"}, sum{"sum"};
  RDom threads, others;
  Func result;
  Var column{"column"}, line{"line"}, row{"row"}; ///< of the result
  Var grid{"grid"}, g{"g"}, blocks{"blocks"}, heads{"heads"};
};

/// Of a row before any key. Sums are the threads' own until the end.
std::vector<Expr> AttentionBuilder::initial() const {
  const Type type = block.in.accumulator;
  std::vector<Expr> parts(block.parts(), number(type, 0));
  if (!block.isNormalized())
    return parts;
  const RowState state = block.in.initialState(block.head(), 0);
  parts[0] = state.largest;
  if (block.in.kernel.hasSink)
    parts[1] = choose(block.x == 0, state.sum, parts[1]);
  return parts;
}

/// The chunks of all keys, unless the block sees only some: how many is then asked in the kernel.
void AttentionBuilder::defineState() {
  const DeviceAttentionOperands &in = block.in;
  const auto &[x, y, v, queries] = std::tie(block.x, block.y, block.v, block.queries);
  const auto chunksOf = [&](const Expr &keys) { return (keys + block.keyChunk - 1) / block.keyChunk; };
  Expr count = chunksOf(in.keys);
  if (in.kernel.listed) {
    range(block.args({x, y})) =
        Tuple(0, in.listedBlocks(block.head(), queries) * (keyBlock / block.keyChunk));
  } else if (in.kernel.program.visibleKeys || block.partKeys > 0) {
    const Expr lastRow = min((queries + 1) * block.queryBlock, in.rows) - 1;
    const KeyRange seen =
        rangeWithin(in.visibleKeys(block.head(), queries * block.queryBlock, lastRow), block.ownKeys());
    range(block.args({x, y})) = Tuple(seen.first, chunksOf(seen.end - seen.first));
  }
  if (range.defined())
    count = ownScalar(arrayOf(range.name(), 1, 2));
  block.state(block.args({x, y, v})) = Tuple(initial());
  chunks = std::make_unique<AttentionChunks>(block, range, count, initial());
  block.state(block.args({x, y, v})) = Tuple(chunks->next());
  if (!mayRepeat())
    return;
  defineAgain(count);
  carefulChunks = std::make_unique<AttentionChunks>(block, range, again, initial());
  block.state(block.args({x, y, v})) = Tuple(carefulChunks->next());
}

/// A sum that is not finite may be so by a hidden pair's value.
void AttentionBuilder::defineAgain(const Expr &count) {
  const auto &[x, y] = std::tie(block.x, block.y);
  const Type type = block.in.accumulator;
  Expr worst = Internal::make_zero(bitsOf(number(type, 0)).type());
  for (int row = 0; row < block.tile.rowTile; ++row)
    for (int part = block.columnsAt(); part < block.parts(); ++part) {
      const std::string array = arrayOf(block.state.name(), part, block.parts());
      worst = max(worst, magnitudeBits(ownElement(type, array, row, {x, y})));
    }
  spoilt(block.args({x, y})) = select(isNotFinite(worst, type), count, 0);
  threads = RDom(0, block.tile.threadsX, 0, block.tile.threadsY, "thread");
  again(block.args({x, y})) = 0;
  again(block.args({x, y})) = max(again(block.at({x, y})), spoilt(block.at({threads.x, threads.y})));
}

void AttentionBuilder::defineSum() {
  const auto &[x, y, v] = std::tie(block.x, block.y, block.v);
  others = RDom(0, block.tile.threadsX, "other");
  sum(block.args({x, y, v})) = number(block.in.accumulator, 0);
  sum(block.args({x, y, v})) += sumOfThread(block.at({others, y, v}));
}

/// The place of a thread's element in the block that has the row.
std::vector<Expr> AttentionBuilder::ofRow(const Expr &row, std::vector<Expr> thread) const {
  thread.push_back(row % block.tile.threadsY);
  thread.push_back(row / block.tile.threadsY % block.tile.rowTile);
  thread.insert(thread.end(), block.place.begin(), block.place.end());
  thread.push_back(row / block.queryBlock);
  if (block.in.kernel.hasValue)
    thread.push_back(column / block.columnBlock);
  if (block.partKeys > 0)
    thread.push_back(block.part);
  return thread;
}

/// The dimensions of a result, of which those along the grid follow the kernel's.
std::vector<Var> AttentionBuilder::indices(std::vector<Var> ofKernel) const {
  const std::vector<Var> ofGrid = block.in.gridOrder(block.place, grid);
  ofKernel.insert(ofKernel.end(), ofGrid.begin(), ofGrid.end());
  if (block.partKeys > 0)
    ofKernel.push_back(block.part);
  return ofKernel;
}

/// The sum of a column, which is the thread's own `where`.
Expr AttentionBuilder::sumOfColumn(const std::vector<Expr> &where) const {
  std::vector<Expr> values;
  for (int part = block.columnsAt(); part < block.parts(); ++part)
    values.push_back(stateAt(part, where));
  return mux(column / (4 * block.tile.threadsX) % block.tile.columnVectors * 4 + column % 4, values);
}

void AttentionBuilder::defineOutput() {
  const AttentionKernel &kernel = block.in.kernel;
  const std::vector<Expr> where = ofRow(row, {column / 4 % block.tile.threadsX});
  Expr value = sumOfColumn(where);
  if (block.isNormalized())
    value =
        quotientOrEmpty(value, sum(where), emptyRow(block.in.accumulator, kernel.nanForEmpty, block.in.keys));
  result = Func("out");
  result(indices({column, row})) = cast(kernel.types.output, value);
  result.output_buffer().dim(0).set_stride(1);
}

/// The largest score and the sum of the weights are a line of their own: one kernel has outputs of one shape.
void AttentionBuilder::definePart() {
  const std::vector<Expr> where = ofRow(row, {column / 4 % block.tile.threadsX});
  result = Func("parts");
  if (!block.isNormalized()) {
    result(indices({column, row})) = sumOfColumn(where);
  } else {
    const Expr ofRow = choose(column % 2 == 0, stateAt(0, where), sum(where));
    result(indices({column, line, row})) = choose(line == 0, sumOfColumn(where), ofRow);
    result.output_buffer().dim(1).set_bounds(0, 2);
  }
  result.output_buffer().dim(0).set_stride(1);
}

/// Those that the kernel has.
void AttentionBuilder::defineStatistics() {
  const DeviceAttentionOperands &in = block.in;
  const auto &[x, y, v] = std::tie(block.x, block.y, block.v);
  largestOfThread(block.args({x, y, v})) = block.state(block.at({x, y, v}))[0];
  const std::vector<Expr> where = ofRow(row, {0});
  Expr sum = number(in.accumulator, 0);
  for (int thread = 0; thread < block.tile.threadsX; ++thread)
    sum += sumOfThread(ofRow(row, {thread}));
  result = Func("statistics");
  result(indices({row})) = Tuple(in.statistics({largestOfThread(where), sum}));
  for (OutputImageParam &buffer : result.output_buffers())
    buffer.dim(0).set_stride(Expr());
}

/// Blocks of rows of all batches are one axis of the grid, heads another one, and parts the third.
void AttentionBuilder::scheduleBlock(const std::vector<VarOrRVar> &ofThread) {
  for (int axis = 0; axis < result.dimensions(); ++axis) // the first output's bind the others'
    result.output_buffers()[0].dim(axis).set_min(0);
  const bool isGrouped = block.place.size() > 2;
  std::vector<VarOrRVar> order = ofThread;
  order.insert(order.end(), {block.x, block.y});
  if (block.in.kernel.hasValue)
    order.push_back(block.valueColumns);
  order.insert(order.end(), {block.queries, grid, block.place[0]});
  order.insert(order.end(), block.place.rbegin(), block.place.rend() - 1);
  if (block.partKeys > 0)
    order.push_back(block.part);
  result.reorder(order).fuse(block.queries, grid, blocks).fuse(blocks, block.place[0], blocks);
  if (block.in.kernel.hasValue)
    result.fuse(block.valueColumns, blocks, blocks);
  if (isGrouped)
    result.fuse(block.place[2], block.place[1], heads);
  else
    heads = block.place[1];
  for (const VarOrRVar &loop : ofThread)
    result.unroll(loop);
  if (block.partKeys > 0)
    result.gpu_blocks(blocks, heads, block.part, block.target.api);
  else
    result.gpu_blocks(blocks, heads, block.target.api);
  result.gpu_threads(block.x, block.y, block.target.api);
}

void AttentionBuilder::scheduleOutput() {
  result.split(row, block.queries, row, block.queryBlock, TailStrategy::GuardWithIf);
  result.split(row, block.v, block.y, block.tile.threadsY);
  result.split(column, block.valueColumns, column, block.columnBlock, TailStrategy::GuardWithIf);
  result.split(column, g, column, 4 * block.tile.threadsX).split(column, block.x, block.i, 4);
  if (block.partKeys > 0 && block.isNormalized())
    scheduleBlock({block.i, g, line, block.v});
  else
    scheduleBlock({block.i, g, block.v});
}

void AttentionBuilder::scheduleStatistics() {
  result.split(row, block.queries, row, block.queryBlock, TailStrategy::GuardWithIf);
  result.split(row, block.v, block.y, block.tile.threadsY).split(block.v, block.v, block.x, 1);
  scheduleBlock({block.v});
}

void AttentionBuilder::scheduleState() {
  const LoopLevel level(result, blocks);
  block.keepInRegisters(block.state, {block.v}, level);
  if (range.defined())
    block.keepInRegisters(range, {}, level);
  chunks->schedule(0);
  if (mayRepeat()) {
    carefulChunks->schedule(1);
    const LoopLevel before(block.state, RVar(carefulChunks->chunks.y));
    block.share(spoilt, {}, before);
    block.keepInRegisters(again, {}, before);
    block.update(again, 0, {}, {threads.x, threads.y});
  }
  if (sumOfThread.defined())
    block.share(sumOfThread, {block.v}, level);
  if (largestOfThread.defined())
    block.share(largestOfThread, {block.v}, level);
  if (sum.defined()) {
    block.keepInRegisters(sum, {block.v}, level);
    block.update(sum, 0, {others.x, block.v});
  }
}

DeviceFunction AttentionBuilder::function() const {
  const DeviceAttentionOperands &in = block.in;
  DeviceFunction function;
  function.name = in.kernel.name;
  std::vector<const DeviceOperand *> operands = {&in.q, &in.k};
  if (in.kernel.hasValue)
    operands.push_back(&in.v);
  in.appendTo(function, operands);
  if (in.kernel.hasSink)
    in.append(function, in.sink);
  if (in.kernel.listed) {
    in.append(function, in.list);
    in.append(function, in.counts);
  }
  for (const OutputImageParam &buffer : result.output_buffers())
    function.operands.push_back(buffer.name());
  function.pipeline = Pipeline(result);
  function.registers = block.registers;
  return function;
}

DeviceFunction AttentionBuilder::build() {
  defineState();
  if (block.isNormalized())
    sumOfThread(block.args({block.x, block.y, block.v})) = stateAt(1, block.at({block.x, block.y, block.v}));
  if (block.in.kernel.hasValue) {
    if (block.isNormalized())
      defineSum();
    if (block.partKeys > 0)
      definePart();
    else
      defineOutput();
    scheduleOutput();
  } else {
    defineStatistics();
    scheduleStatistics();
  }
  scheduleState();
  return function();
}

} // namespace

DeviceFunction buildDeviceAttention(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                    const DeviceTarget &target) {
  return AttentionBuilder(kernel, tile, target).build();
}

DeviceFunction buildDeviceStatistics(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                     const DeviceTarget &target) {
  AttentionKernel withoutValue = kernel;
  withoutValue.hasValue = false;
  withoutValue.program.weigh = nullptr;
  return AttentionBuilder(withoutValue, tile, target).build();
}

DeviceFunction buildDeviceAttentionParts(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                         int partKeys, const DeviceTarget &target) {
  AttentionKernel ofPart = kernel;
  ofPart.hasSink = ofPart.listed = false;
  return AttentionBuilder(ofPart, tile, target, partKeys).build();
}

} // namespace heed::kernels
