#include "DeviceAttentionBlock.h"

#include <numeric>
#include <stdexcept>
#include <string>

using namespace Halide;

namespace heed::kernels {

static bool isArgument(const Func &func, const Var &var) {
  for (const Var &argument : func.args())
    if (argument.same_as(var))
      return true;
  return false;
}

/// A block of a key list is whole chunks.
static DeviceAttentionTile fitted(DeviceAttentionTile tile, const AttentionKernel &kernel) {
  while (kernel.listed && tile.keyTile > 1 && keyBlock % tile.keyChunk() != 0)
    --tile.keyTile;
  if (kernel.listed && keyBlock % tile.keyChunk() != 0)
    throw std::invalid_argument("threads_x: " + std::to_string(tile.threadsX) + ", a divisor of " +
                                std::to_string(keyBlock) + " is needed where visible keys are listed");
  tile.valueChunk = std::gcd(tile.valueChunk, tile.keyChunk());
  return tile;
}

AttentionBlock::AttentionBlock(const AttentionKernel &kernel, const DeviceAttentionTile &tile,
                               const DeviceTarget &target, int partKeys)
    : in(kernel, /*isMatrix=*/false, /*cutsKeys=*/partKeys > 0), tile(fitted(tile, kernel)), target(target),
      partKeys(partKeys), keyChunk(this->tile.keyChunk()), queryBlock(tile.queryBlock()),
      columns(kernel.hasValue ? 4 * tile.columnVectors : 0), columnBlock(columns * tile.threadsX),
      place({Var("batch"), Var("head")}) {
  if (kernel.grouped)
    place.emplace_back(kernel.memberRows ? "query" : "member");
  grid = place;
  grid.push_back(queries);
  if (kernel.hasValue)
    grid.push_back(valueColumns);
  if (partKeys > 0)
    grid.push_back(part);
}

std::vector<Var> AttentionBlock::args(std::vector<Var> first) const {
  first.insert(first.end(), grid.begin(), grid.end());
  return first;
}

std::vector<Expr> AttentionBlock::at(std::vector<Expr> first) const {
  first.insert(first.end(), grid.begin(), grid.end());
  return first;
}

KeyRange AttentionBlock::ownKeys() const {
  if (partKeys == 0)
    return {0, in.keys};
  return {part * partKeys, min((part + 1) * partKeys, in.keys)};
}

Expr AttentionBlock::rowAt(const Expr &y, const Expr &n) const {
  return queries * queryBlock + n * tile.threadsY + y;
}

void AttentionBlock::onePerBlock(Func func) const {
  for (const Var &axis : grid)
    func.bound_extent(axis, 1);
}

void AttentionBlock::keepInRegisters(Func func, const std::vector<Var> &elements, const LoopLevel &level) {
  share(func, elements, level);
  func.store_in(MemoryType::Register);
  registers.push_back({func.name(), tile.threadsX, tile.threadsY});
}

void AttentionBlock::share(Func func, const std::vector<Var> &elements, const LoopLevel &level) {
  func.compute_at(level).store_in(MemoryType::GPUShared);
  if (isArgument(func, x))
    func.bound(x, 0, tile.threadsX);
  func.bound(y, 0, tile.threadsY);
  onePerBlock(func);
  std::vector<VarOrRVar> order(elements.begin(), elements.end());
  order.insert(order.end(), {x, y});
  func.reorder(order).gpu_threads(x, y, target.api);
  for (const Var &element : elements) {
    const int extent = element.name() == u.name()   ? tile.keyTile
                       : element.name() == v.name() ? tile.rowTile
                                                    : columns;
    if (isArgument(func, element))
      func.bound(element, 0, extent);
    func.unroll(element);
  }
}

void AttentionBlock::stage(Func func, const Var &inner, int innerExtent, const Var &outer, int outerExtent,
                           const LoopLevel &level) const {
  Var ofThread("of_thread"), rowOfThread("row_of_thread");
  func.compute_at(level).store_in(MemoryType::GPUShared);
  func.bound(inner, 0, innerExtent).bound(outer, 0, outerExtent).bound_storage(inner, innerExtent + 4);
  onePerBlock(func);
  func.split(inner, ofThread, x, tile.threadsX, TailStrategy::GuardWithIf);
  func.split(outer, rowOfThread, y, tile.threadsY, TailStrategy::GuardWithIf);
  func.reorder(ofThread, rowOfThread, x, y).unroll(ofThread).unroll(rowOfThread);
  func.gpu_threads(x, y, target.api);
}

void AttentionBlock::update(Func func, int number, const std::vector<VarOrRVar> &unrolled,
                            const std::vector<VarOrRVar> &inThread,
                            const std::vector<VarOrRVar> &outside) const {
  std::vector<VarOrRVar> order = unrolled;
  order.insert(order.end(), inThread.begin(), inThread.end());
  order.insert(order.end(), {x, y});
  order.insert(order.end(), outside.begin(), outside.end());
  Stage stage = func.update(number);
  stage.reorder(order).gpu_threads(x, y, target.api);
  for (const VarOrRVar &loop : unrolled)
    stage.unroll(loop);
}

} // namespace heed::kernels
