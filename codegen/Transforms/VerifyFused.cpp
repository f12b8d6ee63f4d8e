//===- VerifyFused.cpp - The end of the passes ----------------------------===//

#include "Transforms/VerifyFused.h"

#include "Dialect/Heed.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

struct VerifyFusedPass : PassWrapper<VerifyFusedPass, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyFusedPass)
  StringRef getArgument() const override { return "heed-verify-fused"; }
  StringRef getDescription() const override { return "only operations of the fused form are left"; }

  void runOnOperation() override {
    for (Operation &op : getOperation().getBody().front()) {
      if (isa<AttentionOp, ScoresOp, LinearOp, MatmulOp, SoftmaxOp, LogSumExpOp, SumOp, AmaxOp, ArgmaxOp,
              LayerNormOp, RmsNormOp, AppendOp, MapOp, ReturnOp>(op) ||
          op.hasTrait<ViewTrait>())
        continue;
      op.emitError() << op.getName().stripDialect()
                     << ": found in the fused form, needed attention, scores, linear, matmul, softmax, "
                        "log_sum_exp, sum, amax, argmax, layer_norm, rms_norm, append, map or a view; run "
                        "the passes up to heed-fuse-elementwise first";
      signalPassFailure();
    }
  }
};

} // namespace

std::unique_ptr<Pass> heed::createVerifyFusedPass() { return std::make_unique<VerifyFusedPass>(); }
