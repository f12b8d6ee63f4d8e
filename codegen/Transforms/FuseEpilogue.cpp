//===- FuseEpilogue.cpp - What follows a linear, at its store -------------===//

#include "Transforms/FuseEpilogue.h"

#include "Dialect/Shapes.h"
#include "Transforms/ElementScalars.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// The last linear whose result nobody but this map reads, index by index.
LinearOp findLinear(MapOp map) {
  LinearOp last;
  for (Value input : map.getInputs()) {
    auto linear = input.getDefiningOp<LinearOp>();
    if (linear && linear->hasOneUse() && linear.getType().getShape() == map.getType().getShape() &&
        mix(linear.getType().getElementType(), map.getType().getElementType()) &&
        (!last || last->isBeforeInBlock(linear)))
      last = linear;
  }
  return last;
}

SmallVector<Value> concatenated(ValueRange first, ValueRange second) {
  SmallVector<Value> all(first);
  llvm::append_range(all, second);
  return all;
}

/// The linear with the map behind what it does already, in the map's place, where all operands are known.
LinearOp fuse(LinearOp linear, MapOp map) {
  OpBuilder builder(map);
  Location location = linear.getLoc();
  SmallVector<Value> others = llvm::to_vector(
      llvm::make_filter_range(map.getInputs(), [&](Value input) { return input != linear.getResult(); }));
  auto fused = LinearOp::create(builder, location, map.getType(), linear.getInput(), linear.getWeight(),
                                linear.getBias(), concatenated(linear.getInputs(), others),
                                concatenated(linear.getCaptures(), map.getCaptures()));
  Block *block = builder.createBlock(&fused.getEpilogue());
  auto argument = [&](Type type) -> Value { return block->addArgument(type, location); };
  Value value = argument(linear.getType().getScalarType());
  auto scalars = [&](ValueRange inputs) {
    return llvm::map_to_vector(inputs,
                               [&](Value input) { return argument(tensorType(input).getScalarType()); });
  };
  auto tensors = [&](ValueRange captures) {
    return llvm::map_to_vector(captures, [&](Value capture) { return argument(capture.getType()); });
  };
  SmallVector<Value> ownInputs = scalars(linear.getInputs()), otherInputs = scalars(others),
                     ownCaptures = tensors(linear.getCaptures()), mapCaptures = tensors(map.getCaptures());
  if (!linear.getEpilogue().empty())
    value = inlineRegion(builder, linear.getEpilogue(),
                         concatenated(concatenated(value, ownInputs), ownCaptures));
  SmallVector<Value> arguments;
  const Value *other = otherInputs.begin();
  for (Value input : map.getInputs())
    arguments.push_back(input == linear.getResult() ? value : *other++);
  value = inlineRegion(builder, map.getBody(), concatenated(arguments, mapCaptures));
  YieldOp::create(builder, location, value);
  return fused;
}

struct FuseEpiloguePass : PassWrapper<FuseEpiloguePass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseEpiloguePass)
  StringRef getArgument() const override { return "heed-fuse-epilogue"; }
  StringRef getDescription() const override { return "a map behind a linear becomes its epilogue"; }

  void runOnOperation() override {
    for (MapOp map : llvm::make_early_inc_range(getOperation().getOps<MapOp>())) {
      LinearOp linear = findLinear(map);
      if (!linear)
        continue;
      map.replaceAllUsesWith(fuse(linear, map).getResult());
      map.erase();
      linear.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> heed::createFuseEpiloguePass() { return std::make_unique<FuseEpiloguePass>(); }
