//===- Pipeline.cpp - From the user's words to the fused form -------------===//

#include "Transforms/Pipeline.h"

#include "Dialect/Heed.h"
#include "Transforms/FoldBias.h"
#include "Transforms/FoldConverts.h"
#include "Transforms/FuseAttention.h"
#include "Transforms/FuseElementwise.h"
#include "Transforms/FuseEpilogue.h"
#include "Transforms/MaskRanges.h"
#include "Transforms/MergeProjections.h"
#include "Transforms/VerifyFused.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace heed;

void heed::buildPipeline(OpPassManager &module) {
  OpPassManager &kernel = module.nest<ir::KernelOp>();
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createFoldConvertsPass());
  kernel.addPass(createFoldBiasPass());
  kernel.addPass(createMergeProjectionsPass());
  kernel.addPass(createFuseAttentionPass());
  kernel.addPass(createFuseElementwisePass());
  kernel.addPass(createFuseEpiloguePass());
  kernel.addPass(createWidenScoresPass());
  // Regions are new: their constants meet and equal elements are read once.
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createVerifyFusedPass());
  kernel.addPass(createAnnotateMaskRangesPass());
}

void heed::registerPasses() {
  registerPass(createFoldBiasPass);
  registerPass(createFoldConvertsPass);
  registerPass(createMergeProjectionsPass);
  registerPass(createFuseAttentionPass);
  registerPass(createFuseElementwisePass);
  registerPass(createFuseEpiloguePass);
  registerPass(createWidenScoresPass);
  registerPass(createVerifyFusedPass);
  registerPass(createAnnotateMaskRangesPass);
  PassPipelineRegistration<>("heed-pipeline", "from the user's words to the fused form", buildPipeline);
}
