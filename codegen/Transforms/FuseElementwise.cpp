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

bool isMask(Operation *op) { return isa<MaskOp, ScoreModOp>(op); }

/// Operations that become one map, in the block's order; the last one's result is the map's.
using Group = SmallVector<Operation *>;

/// Walks up from the end: an operation joins the group that holds all its users, if its result has the
/// group's shape (a smaller one is better computed once than for every element that reads it).
SmallVector<Group> findGroups(Block &block) {
  SmallVector<Group> groups;
  llvm::DenseMap<Operation *, size_t> groupOf;
  auto joins = [&](Operation &op) -> std::optional<size_t> {
    std::optional<size_t> joined;
    for (Operation *user : op.getUsers()) {
      auto known = groupOf.find(user);
      if (known == groupOf.end() || (joined && *joined != known->second))
        return std::nullopt;
      joined = known->second;
    }
    if (joined && tensorType(op.getResult(0)).getShape() !=
                      tensorType(groups[*joined].front()->getResult(0)).getShape())
      return std::nullopt;
    return joined;
  };
  for (Operation &op : llvm::reverse(block)) {
    if (!isElementwise(&op) && !isMask(&op))
      continue;
    std::optional<size_t> group = joins(op);
    if (!group) {
      group = groups.size();
      groups.emplace_back();
    }
    groupOf[&op] = *group;
    groups[*group].push_back(&op);
  }
  for (Group &group : groups)
    std::reverse(group.begin(), group.end());
  return groups;
}

/// Builds the map of one group, or of one constant that has to be stored.
class MapBuilder {
public:
  explicit MapBuilder(Group group) : group(std::move(group)), root(this->group.back()) {}

  MapOp run() {
    collectOperands();
    OpBuilder builder(root);
    auto map = MapOp::create(builder, root->getLoc(), tensorType(root->getResult(0)), inputs.getArrayRef(),
                             captures.getArrayRef());
    Block *block = builder.createBlock(&map.getBody());
    for (Value input : inputs)
      scalars[input] = block->addArgument(tensorType(input).getScalarType(), root->getLoc());
    for (Value capture : captures)
      captured[capture] = block->addArgument(capture.getType(), root->getLoc());
    for (Operation *op : group)
      scalars[op->getResult(0)] = apply(builder, op);
    YieldOp::create(builder, root->getLoc(), scalars[root->getResult(0)]);
    return map;
  }

private:
  /// Operands that are read at the same index; a mask or score program reads its others anywhere.
  static ValueRange elementsOf(Operation *op) {
    return op->getOperands().take_front(isMask(op) ? 1 : op->getNumOperands());
  }
  static ValueRange tensorsOf(Operation *op) { return op->getOperands().drop_front(elementsOf(op).size()); }

  void collectOperands() {
    for (Operation *op : group) {
      for (Value operand : elementsOf(op))
        if (!operand.getDefiningOp<ConstantOp>() && !llvm::is_contained(group, operand.getDefiningOp()))
          inputs.insert(operand);
      for (Value operand : tensorsOf(op))
        captures.insert(operand);
    }
  }

  Value apply(OpBuilder &builder, Operation *op) {
    if (isa<ConstantOp>(op))
      return buildConstantScalar(builder, op->getResult(0));
    SmallVector<Value> arguments;
    for (Value operand : elementsOf(op)) {
      Value constant = buildConstantScalar(builder, operand);
      arguments.push_back(constant ? constant : scalars.lookup(operand));
    }
    return isMask(op) ? applyProgram(builder, op, arguments[0]) : buildElementScalar(builder, op, arguments);
  }

  Value applyProgram(OpBuilder &builder, Operation *op, Value score) {
    SmallVector<Value> arguments;
    if (isa<ScoreModOp>(op))
      arguments.push_back(score);
    for (int64_t axis = 0; axis < 4; ++axis)
      arguments.push_back(PositionOp::create(builder, op->getLoc(), builder.getI64Type(), axis));
    for (Value tensor : tensorsOf(op))
      arguments.push_back(captured.lookup(tensor));
    Value result = inlineRegion(builder, op->getRegion(0), arguments);
    if (isa<ScoreModOp>(op))
      return result;
    ScalarBuilder scalar(builder, op->getLoc());
    return scalar.select(result, score, scalar.constant(-INFINITY, score.getType()));
  }

  Group group;
  Operation *root;
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
    for (Group &group : findGroups(block))
      group.back()->getResult(0).replaceAllUsesWith(MapBuilder(group).run().getResult());
    eraseDead(block);
    // A constant inside a map is a number there; one that anything else reads, such as an output, has to be
    // stored.
    for (ConstantOp constant : llvm::make_early_inc_range(block.getOps<ConstantOp>())) {
      constant.replaceAllUsesWith(MapBuilder({constant}).run().getResult());
      constant.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> heed::createFuseElementwisePass() { return std::make_unique<FuseElementwisePass>(); }
