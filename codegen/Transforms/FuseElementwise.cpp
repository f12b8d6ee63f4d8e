//===- FuseElementwise.cpp - Element-by-element work in one pass ----------===//

#include "Transforms/FuseElementwise.h"

#include "Dialect/Scalars.h"
#include "Transforms/ElementScalars.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// One map under construction: takes the place of `root`, and takes in the maps that feed only it.
class MapBuilder {
public:
  explicit MapBuilder(Operation *root) : root(root), type(tensorType(root->getResult(0))) {}

  MapOp run() {
    collect();
    OpBuilder builder(root);
    auto map = MapOp::create(builder, root->getLoc(), type, inputs.getArrayRef(), captures.getArrayRef());
    Block *block = builder.createBlock(&map.getBody());
    for (Value input : inputs)
      scalars[input] = block->addArgument(tensorType(input).getScalarType(), root->getLoc());
    for (Value capture : captures)
      captured[capture] = block->addArgument(capture.getType(), root->getLoc());
    YieldOp::create(builder, root->getLoc(),
                    isa<ConstantOp>(root) ? buildConstantScalar(builder, root->getResult(0))
                                          : apply(builder, root));
    return map;
  }

private:
  /// A map of the same shape that only `user` reads: computing it there costs nothing twice.
  bool movesInto(Value operand, Operation *user) {
    auto map = operand.getDefiningOp<MapOp>();
    return map && map.getType().getShape() == type.getShape() &&
           llvm::all_of(map->getUsers(), [&](Operation *other) { return other == user; });
  }

  void collect() {
    auto [elements, tensors] = operandsOf(root);
    for (Value operand : elements) {
      if (operand.getDefiningOp<ConstantOp>())
        continue;
      if (!movesInto(operand, root)) {
        inputs.insert(operand);
        continue;
      }
      auto map = operand.getDefiningOp<MapOp>();
      inputs.insert_range(map.getInputs());
      captures.insert_range(map.getCaptures());
    }
    captures.insert_range(tensors);
  }

  /// Operands that are read at the same index, and operands that a program reads anywhere.
  static std::pair<ValueRange, ValueRange> operandsOf(Operation *op) {
    if (isa<MaskOp, ScoreModOp>(op))
      return {op->getOperands().take_front(1), op->getOperands().drop_front(1)};
    return {op->getOperands(), ValueRange()};
  }

  Value apply(OpBuilder &builder, Operation *op) {
    auto [elements, tensors] = operandsOf(op);
    SmallVector<Value> arguments;
    for (Value operand : elements)
      arguments.push_back(scalar(builder, operand));
    return isElementwise(op) ? buildElementScalar(builder, op, arguments)
                             : applyProgram(builder, op, arguments[0], tensors);
  }

  Value scalar(OpBuilder &builder, Value tensor) {
    if (Value constant = buildConstantScalar(builder, tensor))
      return constant;
    if (auto known = scalars.find(tensor); known != scalars.end())
      return known->second;
    auto map = tensor.getDefiningOp<MapOp>();
    SmallVector<Value> arguments;
    for (Value input : map.getInputs())
      arguments.push_back(scalars.lookup(input));
    for (Value capture : map.getCaptures())
      arguments.push_back(captured.lookup(capture));
    return scalars[tensor] = inlineRegion(builder, map.getBody(), arguments);
  }

  Value applyProgram(OpBuilder &builder, Operation *op, Value score, ValueRange tensors) {
    SmallVector<Value> arguments;
    if (isa<ScoreModOp>(op))
      arguments.push_back(score);
    for (int64_t axis = 0; axis < 4; ++axis)
      arguments.push_back(PositionOp::create(builder, op->getLoc(), builder.getI64Type(), axis));
    for (Value tensor : tensors)
      arguments.push_back(captured.lookup(tensor));
    Value result = inlineRegion(builder, op->getRegion(0), arguments);
    if (isa<ScoreModOp>(op))
      return result;
    ScalarBuilder scalars(builder, op->getLoc());
    return scalars.select(result, score, scalars.constant(-INFINITY, score.getType()));
  }

  Operation *root;
  ir::TensorType type;
  llvm::SetVector<Value> inputs, captures;
  llvm::DenseMap<Value, Value> scalars, captured;
};

struct FuseElementwisePass : PassWrapper<FuseElementwisePass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseElementwisePass)
  StringRef getArgument() const override { return "heed-fuse-elementwise"; }
  StringRef getDescription() const override { return "element-by-element chains become heed.map"; }

  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    eraseDead(block);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      // A constant inside a map is a number there; one that anything else reads, such as an output, needs a
      // map.
      auto isOutside = [](Operation *user) {
        return !isElementwise(user) && !isa<MaskOp, ScoreModOp, MapOp>(user);
      };
      bool isStoredConstant = isa<ConstantOp>(op) && llvm::any_of(op.getUsers(), isOutside);
      if (!isStoredConstant && !isElementwise(&op) && !isa<MaskOp, ScoreModOp>(op))
        continue;
      MapOp map = MapBuilder(&op).run();
      op.getResult(0).replaceUsesWithIf(
          map.getResult(), [&](OpOperand &use) { return !isa<ConstantOp>(op) || isOutside(use.getOwner()); });
    }
    eraseDead(block);
  }
};

} // namespace

std::unique_ptr<Pass> heed::createFuseElementwisePass() { return std::make_unique<FuseElementwisePass>(); }
