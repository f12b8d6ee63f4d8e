//===- MergeProjections.cpp - Linears that read one input -----------------===//

#include "Transforms/MergeProjections.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

bool isDefinedBefore(Value value, Operation *op) {
  Operation *producer = value.getDefiningOp();
  return !producer || producer->isBeforeInBlock(op);
}

struct MergeProjectionsPass : PassWrapper<MergeProjectionsPass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergeProjectionsPass)
  StringRef getArgument() const override { return "heed-merge-projections"; }
  StringRef getDescription() const override { return "linear operations with one input become neighbours"; }

  void runOnOperation() override {
    llvm::DenseMap<Value, LinearOp> last; // of each input's group
    SmallVector<LinearOp> linears(getOperation().getOps<LinearOp>());
    for (LinearOp linear : linears) {
      LinearOp &group = last[linear.getInput()];
      auto ready = [&](Value operand) { return isDefinedBefore(operand, group->getNextNode()); };
      if (group && llvm::all_of(linear->getOperands(), ready))
        linear->moveAfter(group);
      group = linear;
    }
  }
};

} // namespace

SmallVector<LinearOp> heed::projectionGroup(LinearOp first) {
  SmallVector<LinearOp> group = {first};
  for (Operation *op = first->getNextNode(); op; op = op->getNextNode()) {
    auto linear = dyn_cast<LinearOp>(op);
    if (!linear || linear.getInput() != first.getInput())
      break;
    group.push_back(linear);
  }
  return group;
}

std::unique_ptr<Pass> heed::createMergeProjectionsPass() { return std::make_unique<MergeProjectionsPass>(); }
