//===- FuseElementwise.cpp - Element-by-element work in one pass ----------===//

#include "Transforms/FuseElementwise.h"

#include "Transforms/ElementPath.h"
#include "Transforms/ElementScalars.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// Operations that a map can compute.
bool isMappable(Operation *op) { return isOnElements(op) || isa<MapOp, RepeatHeadsOp>(op); }

/// Operands that are read at the same index; the others are read anywhere.
ValueRange elementsOf(Operation *op) {
  if (auto map = dyn_cast<MapOp>(op))
    return map.getInputs();
  return op->getOperands().take_front(isElementwise(op) ? op->getNumOperands() : !isa<RepeatHeadsOp>(op));
}
ValueRange tensorsOf(Operation *op) { return op->getOperands().drop_front(elementsOf(op).size()); }

/// Operations that become one map, in the block's order; the last one's result is the map's.
using Group = SmallVector<Operation *>;

/// Walks up from the end: an operation joins the group that holds all its users, if its result has the
/// group's shape (a smaller one is better computed once than for every element that reads it).
SmallVector<Group> findGroups(Block &block) {
  SmallVector<Group> groups;
  llvm::DenseMap<Operation *, size_t> groupOf;
  auto joins = [&](Operation &op) -> std::optional<size_t> {
    std::optional<size_t> joined;
    for (OpOperand &use : op.getUses()) {
      auto known = groupOf.find(use.getOwner());
      if (known == groupOf.end() || (joined && *joined != known->second) ||
          use.getOperandNumber() >= elementsOf(use.getOwner()).size())
        return std::nullopt;
      joined = known->second;
    }
    if (joined && tensorType(op.getResult(0)).getShape() !=
                      tensorType(groups[*joined].front()->getResult(0)).getShape())
      return std::nullopt;
    return joined;
  };
  for (Operation &op : llvm::reverse(block)) {
    if (!isMappable(&op))
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
  void collectOperands() {
    for (Operation *op : group) {
      for (Value operand : elementsOf(op))
        if (!operand.getDefiningOp<ConstantOp>() && !llvm::is_contained(group, operand.getDefiningOp()))
          inputs.insert(operand);
      for (Value operand : tensorsOf(op))
        if (!isa<DropoutOp>(op) || !operand.getDefiningOp<ConstantOp>())
          captures.insert(operand);
    }
  }

  Value apply(OpBuilder &builder, Operation *op) {
    if (isa<ConstantOp>(op))
      return buildConstantScalar(builder, op->getResult(0));
    SmallVector<Value> elements, tensors;
    for (Value operand : elementsOf(op)) {
      Value constant = buildConstantScalar(builder, operand);
      elements.push_back(constant ? constant : scalars.lookup(operand));
    }
    for (Value operand : tensorsOf(op))
      tensors.push_back(captured.lookup(operand));
    if (isElementwise(op))
      return buildElementScalar(builder, op, elements);
    if (auto map = dyn_cast<MapOp>(op)) {
      llvm::append_range(elements, tensors);
      return inlineRegion(builder, map.getBody(), elements);
    }
    SmallVector<Value> positions = positionsOf(builder, op);
    if (auto dropout = dyn_cast<DropoutOp>(op)) {
      Value probability = number(builder, dropout.getProbability()),
            seed = number(builder, dropout.getSeed());
      return buildDropoutScalar(builder, dropout, elements[0], probability, seed, positions);
    }
    if (auto repeat = dyn_cast<RepeatHeadsOp>(op)) {
      positions[1] = buildRepeatedHead(builder, repeat, positions[1]);
      return ElementOp::create(builder, op->getLoc(), tensors[0], positions);
    }
    return buildProgramScalar(builder, op, elements[0], positions, tensors);
  }

  static SmallVector<Value> positionsOf(OpBuilder &builder, Operation *op) {
    SmallVector<Value> positions;
    for (int64_t axis = 0; axis < tensorType(op->getResult(0)).getRank(); ++axis)
      positions.push_back(PositionOp::create(builder, op->getLoc(), builder.getI64Type(), axis));
    return positions;
  }

  /// A tensor of rank 0.
  Value number(OpBuilder &builder, Value tensor) {
    Value constant = buildConstantScalar(builder, tensor);
    return constant ? constant
                    : ElementOp::create(builder, tensor.getLoc(), captured.lookup(tensor), ValueRange());
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
      if (group.size() > 1 || !isa<MapOp>(group.front()))
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
