//===- ExplainProjections.cpp - Where projections run ---------------------===//

#include "Transforms/ExplainProjections.h"

#include "Transforms/MergeProjections.h"

using namespace mlir;
using namespace heed;

namespace {

/// The value that views look at.
Value viewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!op->hasTrait<ir::ViewTrait>())
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Slices among the views of a value.
unsigned partsOf(Value value) {
  unsigned parts = 0;
  for (Operation *user : value.getUsers()) {
    if (isa<ir::SliceOp>(user))
      ++parts;
    else if (user->hasTrait<ir::ViewTrait>())
      parts += partsOf(user->getResult(0));
  }
  return parts;
}

/// "a, b and c"
std::string enumerated(ArrayRef<ir::LinearOp> linears, NameOf nameOf) {
  std::string text;
  for (auto [number, linear] : llvm::enumerate(linears)) {
    text += number == 0 ? "" : number + 1 == linears.size() ? " and " : ", ";
    text += nameOf(linear);
  }
  return text;
}

} // namespace

std::string heed::explainQueryProjection(ir::AttentionOp attention, NameOf nameOf) {
  auto linear = viewed(attention.getQuery()).getDefiningOp<ir::LinearOp>();
  if (!linear)
    return "";
  return "queries are projected by a launch of their own, " + nameOf(linear) +
         ": in the attention's tiles every head would pack the input anew, which is no faster at 512 "
         "queries and more";
}

std::vector<std::string> heed::explainMergedProjections(ir::KernelOp kernel, NameOf nameOf) {
  std::vector<std::string> sentences;
  llvm::SmallPtrSet<Operation *, 8> told;
  for (ir::LinearOp linear : kernel.getBody().getOps<ir::LinearOp>()) {
    if (unsigned parts = partsOf(linear.getResult()); parts > 1)
      sentences.push_back(nameOf(linear) + ": one launch projects " + std::to_string(parts) +
                          " parts, which are read in place");
    SmallVector<ir::LinearOp> group = projectionGroup(linear);
    if (group.size() == 1 || told.contains(linear))
      continue;
    told.insert(group.begin(), group.end());
    sentences.push_back(
        enumerated(group, nameOf) +
        " project one input: a launch each, one after another, since each has a weight of its "
        "own; one linear with a packed weight, whose result is sliced, is one launch");
  }
  return sentences;
}
