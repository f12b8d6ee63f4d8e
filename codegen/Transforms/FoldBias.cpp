//===- FoldBias.cpp - A bias belongs to its linear ------------------------===//

#include "Transforms/FoldBias.h"

#include "Dialect/Heed.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// The linear operation and the bias of a sum, in either order.
bool matchBias(Value left, Value right, LinearOp &linear, Value &bias) {
  linear = left.getDefiningOp<LinearOp>();
  bias = right;
  if (!linear || linear.getBias() || !linear.getEpilogue().empty() || !linear->hasOneUse())
    return false;
  ir::TensorType type = tensorType(bias);
  return type.getRank() == 1 && type.getExtent(0) == linear.getType().getExtent(-1);
}

struct FoldBiasPass : PassWrapper<FoldBiasPass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldBiasPass)
  StringRef getArgument() const override { return "heed-fold-bias"; }
  StringRef getDescription() const override { return "linear(x, w) + b becomes linear(x, w, b)"; }

  void runOnOperation() override {
    for (AddOp add : llvm::make_early_inc_range(getOperation().getOps<AddOp>())) {
      LinearOp linear;
      Value bias;
      if (!matchBias(add.getLeft(), add.getRight(), linear, bias) &&
          !matchBias(add.getRight(), add.getLeft(), linear, bias))
        continue;
      OpBuilder builder(add);
      auto fused = LinearOp::create(builder, linear.getLoc(), linear.getInput(), linear.getWeight(), bias);
      fused.getResult().setType(add.getType());
      add.replaceAllUsesWith(fused.getResult());
      add.erase();
      linear.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> heed::createFoldBiasPass() { return std::make_unique<FoldBiasPass>(); }
