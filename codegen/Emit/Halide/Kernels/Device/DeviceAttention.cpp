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
  AttentionBuilder(const AttentionKernel &kernel, const DeviceAttentionSchedule &tile,
                   const DeviceTarget &target)
      : block(kernel, tile, target) {}

  DeviceFunction build();

private:
  std::vector<Expr> initial() const;
  void defineState();
  void defineAgain(const Expr &count);
  void defineSum();
  void defineOutput();
  void defineStatistics();
  void scheduleBlock(const std::vector<VarOrRVar> &ofThread);
  void scheduleOutput();
  void scheduleStatistics();
  void scheduleState();
  DeviceFunction function() const;

  /// Whether values of hidden pairs may have spoilt the result, and it is then computed anew.
  bool mayRepeat() const { return block.mayHide() && block.in.kernel.hasValue; }
  std::vector<Expr> ofRow(const Expr &row, std::vector<Expr> thread) const;
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
  Var column{"column"}, row{"row"}, grid{"grid"}, g{"g"}, blocks{"blocks"}, heads{"heads"};
};

/// Of a row before any key: of the sink, if there is one. A sink of -infinity is none. Sums are the threads'
/// own until the end.
std::vector<Expr> AttentionBuilder::initial() const {
  const Type type = block.in.accumulator;
  std::vector<Expr> parts(block.parts(), number(type, 0));
  if (!block.isNormalized())
    return parts;
  parts[0] = lowestScore(type);
  if (!block.in.kernel.hasSink)
    return parts;
  const Expr sink = block.in.sinkScore(block.head());
  parts[0] = largerOf(sink, lowestScore(type));
  parts[1] = choose(block.x == 0, exp2OnDevice(strictDifference(sink, parts[0]) * block.in.unit), parts[1]);
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
  } else if (in.kernel.program.visibleKeys) {
    const Expr lastRow = min((queries + 1) * block.queryBlock, in.rows) - 1;
    const KeyRange seen = in.visibleKeys(block.head(), queries * block.queryBlock, lastRow);
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
  return thread;
}

void AttentionBuilder::defineOutput() {
  const AttentionKernel &kernel = block.in.kernel;
  const int threadsX = block.tile.threadsX;
  const std::vector<Expr> where = ofRow(row, {column / 4 % threadsX});
  std::vector<Expr> values;
  for (int part = block.columnsAt(); part < block.parts(); ++part)
    values.push_back(stateAt(part, where));
  Expr value = mux(column / (4 * threadsX) % block.tile.columnVectors * 4 + column % 4, values);
  if (block.isNormalized())
    value =
        quotientOrEmpty(value, sum(where), emptyRow(block.in.accumulator, kernel.nanForEmpty, block.in.keys));
  result = Func("out");
  std::vector<Var> indices{column, row};
  indices.insert(indices.end(), block.place.begin(), block.place.end());
  indices.push_back(grid);
  result(indices) = cast(kernel.types.output, value);
  result.output_buffer().dim(0).set_stride(1);
}

/// Those that the kernel has.
void AttentionBuilder::defineStatistics() {
  const DeviceAttentionOperands &in = block.in;
  const auto &[x, y, v] = std::tie(block.x, block.y, block.v);
  largestOfThread(block.args({x, y, v})) = block.state(block.at({x, y, v}))[0];
  const std::vector<Expr> where = ofRow(row, {0});
  const Expr zero = number(in.accumulator, 0);
  Expr sum = zero;
  for (int thread = 0; thread < block.tile.threadsX; ++thread)
    sum += sumOfThread(ofRow(row, {thread}));
  const Expr isEmpty = strict_float(sum == zero), found = largestOfThread(where);
  const Expr largest =
      in.naturalUnit ? found : choose(isEmpty, found, strict_float(found * number(in.accumulator, ln2)));
  std::vector<Expr> values;
  if (in.kernel.statistics)
    values = {largest, sum};
  if (in.kernel.logSumExp)
    values.push_back(hideUnless(!isEmpty, strict_float(largest + logarithm(sum))));
  result = Func("statistics");
  std::vector<Var> indices{row};
  indices.insert(indices.end(), block.place.begin(), block.place.end());
  indices.push_back(grid);
  result(indices) = Tuple(values);
  for (OutputImageParam &buffer : result.output_buffers())
    buffer.dim(0).set_stride(Expr());
}

/// Blocks of rows of all batches are one axis of the grid, and heads the other.
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
  result.reorder(order).fuse(block.queries, grid, blocks).fuse(blocks, block.place[0], blocks);
  if (block.in.kernel.hasValue)
    result.fuse(block.valueColumns, blocks, blocks);
  if (isGrouped)
    result.fuse(block.place[2], block.place[1], heads);
  else
    heads = block.place[1];
  for (const VarOrRVar &loop : ofThread)
    result.unroll(loop);
  result.gpu_blocks(blocks, heads, block.target.api).gpu_threads(block.x, block.y, block.target.api);
}

void AttentionBuilder::scheduleOutput() {
  result.split(row, block.queries, row, block.queryBlock, TailStrategy::GuardWithIf);
  result.split(row, block.v, block.y, block.tile.threadsY);
  result.split(column, block.valueColumns, column, block.columnBlock, TailStrategy::GuardWithIf);
  result.split(column, g, column, 4 * block.tile.threadsX).split(column, block.x, block.i, 4);
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

DeviceFunction buildDeviceAttention(const AttentionKernel &kernel, const DeviceAttentionSchedule &schedule,
                                    const DeviceTarget &target) {
  return AttentionBuilder(kernel, schedule, target).build();
}

DeviceFunction buildDeviceStatistics(const AttentionKernel &kernel, const DeviceAttentionSchedule &schedule,
                                     const DeviceTarget &target) {
  AttentionKernel withoutValue = kernel;
  withoutValue.hasValue = false;
  withoutValue.program.weigh = nullptr;
  return AttentionBuilder(withoutValue, schedule, target).build();
}

} // namespace heed::kernels
