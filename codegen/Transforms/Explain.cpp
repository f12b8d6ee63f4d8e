//===- Explain.cpp - What became of every softmax -------------------------===//

#include "Transforms/Explain.h"

#include "Transforms/FuseAttention.h"

using namespace mlir;
using namespace heed;

namespace {

/// The word that an attention stands for.
llvm::StringRef wordOf(ir::AttentionOp attention) {
  if (attention.getUnnormalized())
    return "matmul";
  bool isSum = attention.getNumResults() == 1 && attention.getLogSumExp();
  return isSum ? "log_sum_exp" : "softmax";
}

std::string describeFused(ir::AttentionOp attention) {
  std::string text = "fused into an attention";
  if (attention.getUnnormalized())
    return text + " without a softmax";
  if (attention.getNumResults() == 1 && attention.getOutput())
    return text;
  text += " that produces ";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(attention.getProduces().getAsValueRange<StringAttr>(), os);
  return text;
}

} // namespace

std::vector<SoftmaxReport> heed::explainSoftmaxes(ir::KernelOp kernel) {
  std::vector<SoftmaxReport> reports;
  auto report = [&](Operation &op, llvm::StringRef word, bool isFused, const Twine &what) {
    std::string place = ir::locationStr(op.getLoc());
    reports.push_back({&op, isFused, (word + (place.empty() ? "" : " at " + place) + ": " + what).str()});
  };
  for (Operation &op : kernel.getBody().front()) {
    if (auto attention = dyn_cast<ir::AttentionOp>(op))
      report(op, wordOf(attention), true, describeFused(attention));
    else if (auto scores = dyn_cast<ir::ScoresOp>(op))
      report(op, scores.getStatistics().empty() ? "scores" : "weights", true,
             "written out, computed again from queries and keys");
    else if (auto reason = op.getAttrOfType<StringAttr>(notFusedAttr))
      report(op, op.getName().stripDialect(), false, "not fused, " + reason.getValue());
  }
  return reports;
}
