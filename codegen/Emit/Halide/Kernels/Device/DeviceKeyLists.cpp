#include "Attention.h"

#include "DeviceAttentionOperands.h"
#include "RegisterArrays.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Operands, grid and threads of the lists' two kernels: one writes the blocks, the other how many they are.
/// Every listed block is of the second kind, which some row may not see in full.
struct KeyListsBlock {
  KeyListsBlock(const AttentionKernel &kernel, const DeviceAttentionTile &tile, const DeviceTarget &target)
      : in(kernel), tile(tile), target(target), shape(UInt(8), 2, in.headRank + 1, "shape"),
        place({Var("batch"), Var("head")}) {
    if (kernel.grouped)
      place.emplace_back("member");
    grid = place;
    grid.push_back(queries);
    in.keys = shape.extent(0);
    in.rows = shape.extent(1);
    if (kernel.grouped)
      in.members = shape.image.dim(2 + 2).extent();
  }

  std::vector<Var> args(std::vector<Var> first) const {
    first.insert(first.end(), grid.begin(), grid.end());
    return first;
  }
  std::vector<Expr> at(std::vector<Expr> first) const {
    first.insert(first.end(), grid.begin(), grid.end());
    return first;
  }
  HeadPlace head() const { return {std::vector<Expr>(place.begin(), place.end())}; }

  /// Every thread has an element, in registers or to be seen by all.
  void keep(Func func, const LoopLevel &level) {
    share(func, level);
    func.store_in(MemoryType::Register);
    registers.push_back({func.name(), tile.threadsX, tile.threadsY});
  }
  void share(Func func, const LoopLevel &level) const {
    func.compute_at(level).store_in(MemoryType::GPUShared).gpu_threads(x, y, target.api);
    func.bound(x, 0, tile.threadsX).bound(y, 0, tile.threadsY);
    for (const Var &axis : grid)
      func.bound_extent(axis, 1);
  }
  void inThreads(Stage update, const RDom &loops) const {
    std::vector<VarOrRVar> order;
    for (int axis = 0; axis < loops.dimensions(); ++axis)
      order.emplace_back(loops[axis]);
    order.insert(order.end(), {x, y});
    update.reorder(order).gpu_threads(x, y, target.api);
  }

  DeviceAttentionOperands in;
  const DeviceAttentionTile tile;
  const DeviceTarget &target;
  DeviceOperand shape;
  Var x{"x"}, y{"y"}, queries{"query_block"}, b{"key_block"};
  std::vector<Var> place, grid;
  std::vector<RegisterArray> registers;
};

/// Which blocks of keys a block of query rows sees.
class SeenBlocks {
public:
  explicit SeenBlocks(KeyListsBlock &block);

  void schedule(const LoopLevel &inBlock, const LoopLevel &loop);

  /// (x, y, b): whether the block is seen, in the registers of every thread.
  Func isSeen{"is_seen"};
  Func start{"start"};                                                  ///< (x, y, b): the block's first key
  Expr count() const { return ownScalar(arrayOf(range.name(), 1, 2)); } ///< of blocks to ask

private:
  KeyListsBlock &block;
  Func range{"range"};                        ///< (x, y): the first block, how many to ask
  Func pairs{"pairs"}, ofThread{"of_thread"}; ///< (x, y, b): whether a pair of the thread's is visible
  RDom own, threads;
};

SeenBlocks::SeenBlocks(KeyListsBlock &block) : block(block) {
  const DeviceAttentionOperands &in = block.in;
  const DeviceAttentionTile &tile = block.tile;
  const auto &[x, y, b, queries] = std::tie(block.x, block.y, block.b, block.queries);
  const Expr firstRow = queries * tile.queryBlock(), lastRow = min(firstRow + tile.queryBlock(), in.rows) - 1;
  const KeyRange visible = in.visibleKeys(block.head(), firstRow, lastRow);
  const Expr begin = visible.first / keyBlock, end = (visible.end + keyBlock - 1) / keyBlock;
  range(block.args({x, y})) = Tuple(begin, max(end - begin, 0));

  start(block.args({x, y, b})) = (range(block.at({x, y}))[0] + b) * keyBlock;

  const int keysOfThread = (keyBlock + tile.threadsX - 1) / tile.threadsX;
  own = RDom(0, keysOfThread, 0, tile.rowTile, "own");
  const Expr row = firstRow + own.y * tile.threadsY + y, place = min(own.x * tile.threadsX + x, keyBlock - 1);
  const Expr lastKey = max(in.keys - 1, 0);
  const Expr key = unsafe_promise_clamped(ownElement(Int(32), start.name(), 0, {b}), 0, lastKey) + place;
  // The loops stay where the mask tells the same of every pair.
  const Expr exists = row < in.rows && key < in.keys && start(block.at({x, y, b})) < in.keys;
  const Expr isVisible = exists && in.visible(block.head(), min(row, max(in.rows - 1, 0)), min(key, lastKey));
  pairs(block.args({x, y, b})) = 0;
  pairs(block.args({x, y, b})) = max(pairs(block.at({x, y, b})), select(isVisible, 1, 0));
  ofThread(block.args({x, y, b})) = pairs(block.at({x, y, b}));
  threads = RDom(0, tile.threadsX, 0, tile.threadsY, "thread");
  isSeen(block.args({x, y, b})) = 0;
  isSeen(block.args({x, y, b})) =
      max(isSeen(block.at({x, y, b})), ofThread(block.at({threads.x, threads.y, b})));
}

void SeenBlocks::schedule(const LoopLevel &inBlock, const LoopLevel &loop) {
  block.keep(range, inBlock);
  for (Func *func : {&start, &pairs, &isSeen}) {
    block.keep(*func, loop);
    func->bound_extent(block.b, 1);
  }
  block.inThreads(pairs.update(), own);
  block.share(ofThread, loop);
  ofThread.bound_extent(block.b, 1);
  block.inThreads(isSeen.update(), threads);
}

/// The numbers of the blocks that are seen, one after the other.
class BlocksWriter {
public:
  explicit BlocksWriter(KeyListsBlock &block) : block(block), seen(block) {
    const auto &[x, y, b] = std::tie(block.x, block.y, block.b);
    const Expr before = select(b == 0, 0, ownElement(Int(32), written.name(), 0, {b}));
    written(block.args({x, y, b})) = before + seen.isSeen(block.at({x, y, b}));
    place(block.args({x, y, b})) =
        Tuple(select(seen.isSeen(block.at({x, y, b})) > 0, written(block.at({x, y, b})) - 1, -1),
              seen.start(block.at({x, y, b})) / keyBlock);
    blocks = RDom(0, seen.count(), "key_block");
    const Expr at = place(block.at({0, 0, blocks}))[0];
    blocks.where(at >= 0);
    list(block.args({i})) = undef<int32_t>();
    const Expr last = max((block.in.keys + keyBlock - 1) / keyBlock - 1, 0);
    list(block.at({clamp(at, 0, last)})) = place(block.at({0, 0, blocks}))[1];
  }

  void schedule(const Var &grid) {
    const LoopLevel inBlock(list, grid), loop(list, RVar(blocks.x));
    seen.schedule(inBlock, loop);
    block.keep(written, loop);
    block.share(place, loop);
    for (Func *func : {&written, &place})
      func->bound_extent(block.b, 1);
  }

  Func list{"list"};
  RDom blocks;

private:
  KeyListsBlock &block;
  SeenBlocks seen;
  Func written{"written"}, place{"place"}; ///< (x, y, b)
  Var i{"i"};
};

class BlocksCounter {
public:
  explicit BlocksCounter(KeyListsBlock &block) : block(block), seen(block) {
    const auto &[x, y] = std::tie(block.x, block.y);
    blocks = RDom(0, seen.count(), "counted_block");
    count(block.args({x, y})) = 0;
    // What tells how many blocks to ask must stay, whatever the mask says: no first key is negative.
    count(block.args({x, y})) +=
        seen.isSeen(block.at({x, y, blocks})) + min(seen.start(block.at({x, y, blocks})), 0);
    shared(block.args({x, y})) = count(block.at({x, y}));
    counts(block.args({i})) = select(i == 0, 0, shared(block.at({0, 0})));
  }

  void schedule(const Var &grid) {
    const LoopLevel inBlock(counts, grid);
    block.keep(count, inBlock);
    count.update().reorder(block.x, block.y, blocks.x).gpu_threads(block.x, block.y, block.target.api);
    block.share(shared, inBlock);
    seen.schedule(inBlock, LoopLevel(count, RVar(blocks.x)));
  }

  Func counts{"counts"};
  Var i{"i"};

private:
  KeyListsBlock &block;
  SeenBlocks seen;
  RDom blocks;
  Func count{"count"}, shared{"shared_count"}; ///< (x, y)
};

/// Blocks of threads along all of the grid's axes: the two outermost first, then the others with the rows'.
template <typename FuncOrStage>
Var scheduleGrid(FuncOrStage func, const std::vector<VarOrRVar> &inner, const KeyListsBlock &block) {
  Var blocks("blocks"), heads("heads");
  std::vector<VarOrRVar> order = inner;
  order.insert(order.end(), {block.queries, block.place[0]});
  order.insert(order.end(), block.place.rbegin(), block.place.rend() - 1);
  func.reorder(order).fuse(block.queries, block.place[0], blocks);
  if (block.place.size() > 2)
    func.fuse(block.place[2], block.place[1], heads);
  else
    heads = block.place[1];
  func.gpu_blocks(blocks, heads, block.target.api);
  return blocks;
}

} // namespace

DeviceFunction buildDeviceKeyLists(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                                   const DeviceTarget &target) {
  KeyListsBlock block(kernel, tile, target);
  BlocksWriter writer(block);
  BlocksCounter counter(block);
  writer.schedule(scheduleGrid(writer.list.update(), {writer.blocks.x}, block));
  counter.schedule(scheduleGrid(counter.counts, {counter.i}, block));
  for (Func *output : {&writer.list, &counter.counts})
    for (int axis = 0; axis < output->dimensions(); ++axis)
      output->output_buffer().dim(axis).set_min(0);

  DeviceFunction function;
  function.name = kernel.name;
  block.in.appendTo(function, {&block.shape});
  for (const Func &output : {writer.list, counter.counts})
    function.operands.push_back(output.name());
  function.pipeline = Pipeline({writer.list, counter.counts});
  function.registers = block.registers;
  return function;
}

} // namespace heed::kernels
