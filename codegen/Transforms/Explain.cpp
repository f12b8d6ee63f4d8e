//===- Explain.cpp - What became of every softmax -------------------------===//

#include "Transforms/Explain.h"

#include "Transforms/FuseAttention.h"

using namespace mlir;
using namespace heed;

std::vector<SoftmaxReport> heed::explainSoftmaxes(ir::KernelOp kernel) {
  std::vector<SoftmaxReport> reports;
  auto report = [&](Operation &op, bool isFused, const Twine &what) {
    std::string place = ir::locationStr(op.getLoc());
    reports.push_back(
        {&op, isFused, ("softmax" + (place.empty() ? "" : " at " + place) + ": " + what).str()});
  };
  for (Operation &op : kernel.getBody().front()) {
    if (isa<ir::AttentionOp>(op))
      report(op, true, "fused into an attention");
    else if (auto reason = op.getAttrOfType<StringAttr>(notFusedAttr))
      report(op, false, "not fused, " + reason.getValue());
  }
  return reports;
}
