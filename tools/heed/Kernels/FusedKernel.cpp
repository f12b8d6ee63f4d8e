#include "Kernels/FusedKernel.h"

#include "Compile.h"
#include "Emit/OperationNames.h"
#include "Kernels/SpecModule.h"
#include "Support/ToolError.h"
#include "Transforms/Explain.h"
#include "Transforms/ExplainProjections.h"

#include <map>

namespace heed::tools {

namespace {

/// The scores of an attention in the plain graph: those of the same line, the how many-th there.
std::optional<ScoreChain> chainOf(const spec::graph &kernel, const std::string &place, int before) {
  for (const ScoreChain &chain : scoreChains(kernel))
    if (location(kernel, kernel.nodes[chain.weights].line) == place && before-- == 0)
      return chain;
  return std::nullopt;
}

} // namespace

FusedKernel::FusedKernel(const spec::graph &kernel) {
  const spec::graph *kernels[] = {&kernel};
  auto fused = fuseKernels(context, kernels);
  if (!fused)
    throw ToolError(llvm::toString(fused.takeError()));
  module = std::move(*fused);
  for (auto operation : module->getOps<ir::KernelOp>()) {
    std::map<mlir::Operation *, std::string> names;
    for (const NamedOperation &named : namedOperations(operation))
      names[named.op] = named.name;
    auto nameOf = [&](mlir::Operation *op) { return names[op]; };
    sentences = explainMergedProjections(operation, nameOf);
    std::map<std::string, int> attentionsAt; // so far, by their place in the spec
    for (const SoftmaxReport &report : explainSoftmaxes(operation)) {
      FusedSoftmax &softmax = found.emplace_back(FusedSoftmax{report.text, nullptr, "", std::nullopt, ""});
      softmax.attention = llvm::dyn_cast_or_null<ir::AttentionOp>(report.operation);
      if (!softmax.attention)
        continue;
      std::string place = ir::locationStr(softmax.attention.getLoc());
      softmax.name = names[softmax.attention];
      softmax.projection = explainQueryProjection(softmax.attention, nameOf);
      softmax.chain = chainOf(kernel, place, attentionsAt[place]++);
    }
  }
}

} // namespace heed::tools
