//===- ScoreTree.cpp - From a softmax back to q kᵀ -------------------------===//

#include "Transforms/ScoreTree.h"

#include "Transforms/ElementScalars.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// `matmul at spec.cpp:12`, `output 'weights'`.
std::string describe(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<ReturnOp>(op))
    return ("output '" + op->getParentOfType<KernelOp>().getOutputName(use.getOperandNumber()) + "'").str();
  std::string place = locationStr(op->getLoc());
  return (op->getName().stripDialect() + (place.empty() ? "" : " at " + place)).str();
}

class Finder {
public:
  explicit Finder(SoftmaxOp softmax) { tree.softmax = softmax; }

  std::variant<ScoreTree, std::string> run() {
    std::string reason = findWeighted();
    if (reason.empty())
      reason = findProduct();
    if (reason.empty())
      reason = checkUsers();
    if (reason.empty())
      reason = checkShapes();
    if (!reason.empty())
      return reason;
    return std::move(tree);
  }

private:
  /// The only use of the weights is the product with the values.
  std::string findWeighted() {
    Value weights = tree.softmax.getResult();
    for (OpOperand &use : weights.getUses()) {
      auto matmul = dyn_cast<MatmulOp>(use.getOwner());
      if (matmul && !tree.weighted && use.getOperandNumber() == 0)
        tree.weighted = matmul;
      else
        other = other ? other : &use;
    }
    if (tree.weighted && !other)
      return {};
    if (!other)
      return "its result is not used, needed matmul(weights, values)";
    if (tree.weighted)
      return "its result is also used by " + describe(*other) +
             "; only the values' product may read the weights";
    return "its result is used by " + describe(*other) + ", needed matmul(weights, values)";
  }

  std::string findProduct() {
    Value scores = tree.softmax.getInput();
    if (dependsOnProduct(scores))
      return {};
    Operation *op = scores.getDefiningOp();
    while (isElementwise(op) || isa_and_present<MaskOp, ScoreModOp>(op))
      op = op->getNumOperands() ? op->getOperand(0).getDefiningOp() : nullptr;
    if (!op)
      return "its scores come from an argument, needed matmul(queries, transpose(keys))";
    std::string place = locationStr(op->getLoc());
    return ("its scores come from " + op->getName().stripDialect() + (place.empty() ? "" : " at " + place) +
            ", needed matmul(queries, transpose(keys))")
        .str();
  }

  /// Marks the path; the first product that is met, operands from left to right, is the one of queries and
  /// keys, any other is a captured tensor like a bias.
  bool dependsOnProduct(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (auto known = tree.path.find(op); known != tree.path.end())
      return known->second;
    bool depends = false;
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      if (!tree.product && matmul.getType() == tree.softmax.getType())
        tree.product = matmul;
      depends = matmul == tree.product;
    } else if (isElementwise(op)) {
      for (Value operand : op->getOperands())
        depends |= dependsOnProduct(operand);
    } else if (isa<MaskOp, ScoreModOp>(op)) {
      depends = dependsOnProduct(op->getOperand(0));
    }
    return tree.path[op] = depends;
  }

  /// Scores that somebody else reads have to be stored.
  std::string checkUsers() {
    for (auto [op, depends] : tree.path)
      for (OpOperand &use : op->getResult(0).getUses())
        if (depends && use.getOwner() != tree.softmax && !tree.path.lookup(use.getOwner()))
          return "its scores are also used by " + describe(use) + "; only the softmax may read them";
    return {};
  }

  std::string checkShapes() {
    ir::TensorType scores = ir::tensorType(tree.product.getResult()),
                   result = ir::tensorType(tree.weighted.getResult());
    if (!isa<FloatType>(scores.getElementType()))
      return "its scores are no floating-point numbers";
    if (result.getRank() > 4)
      return "its scores have " + std::to_string(result.getRank()) +
             " axes, needed at most (batch, heads, queries, keys)";
    if (scores.getShape().drop_back(2) != result.getShape().drop_back(2))
      return "its scores are " + scores.shapeStr() + " but its result is " + result.shapeStr() +
             ", needed equal leading axes";
    return {};
  }

  ScoreTree tree;
  OpOperand *other = nullptr;
};

} // namespace

std::variant<ScoreTree, std::string> heed::findScoreTree(SoftmaxOp softmax) { return Finder(softmax).run(); }
