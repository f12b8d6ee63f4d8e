//===- ElementPath.cpp - From a matrix back to its root --------------------===//

#include "Transforms/ElementPath.h"

#include "Transforms/ElementScalars.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

class Finder {
public:
  Finder(Value result, llvm::function_ref<bool(Operation *)> isRoot) : isRoot(isRoot) {
    path.result = result;
  }

  std::optional<ElementPath> run() {
    if (!dependsOnRoot(path.result))
      return std::nullopt;
    return std::move(path);
  }

private:
  bool dependsOnRoot(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (value == path.root)
      return true;
    if (auto known = path.operations.find(op); known != path.operations.end())
      return known->second;
    if (!path.root && isRoot(op) && tensorType(value).getShape() == tensorType(path.result).getShape()) {
      path.root = value;
      return true;
    }
    if (!isOnElements(op) || changesScalars(op))
      return false;
    bool depends = false;
    for (Value operand : op->getOperands().take_front(isElementwise(op) ? op->getNumOperands() : 1))
      depends |= dependsOnRoot(operand);
    return path.operations[op] = depends;
  }

  /// The regions of an attention compute in the scalars of its operands.
  static bool changesScalars(Operation *op) {
    auto convert = dyn_cast<ConvertOp>(op);
    return convert && convert.getType().getScalarType() != convert.getInput().getType().getScalarType();
  }

  ElementPath path;
  llvm::function_ref<bool(Operation *)> isRoot;
};

/// Where scores that are not q kᵀ come from.
std::string originOf(Value scores) {
  Operation *op = scores.getDefiningOp();
  while (isOnElements(op))
    op = op->getNumOperands() ? op->getOperand(0).getDefiningOp() : nullptr;
  if (isa_and_present<MatmulOp>(op))
    return "its scores are " + tensorType(scores).shapeStr() + " but " + describe(op) + " gives " +
           tensorType(op->getResult(0)).shapeStr() + ", needed the same shape";
  return "its scores come from " + (op ? describe(op) : "an argument") +
         ", needed matmul(queries, transpose(keys))";
}

} // namespace

bool heed::isOnElements(Operation *op) {
  return isElementwise(op) || isa_and_present<MaskOp, ScoreModOp, DropoutOp>(op);
}

std::optional<ElementPath> heed::findPath(Value result, llvm::function_ref<bool(Operation *)> isRoot) {
  return Finder(result, isRoot).run();
}

std::variant<ElementPath, std::string> heed::findScores(Value scores) {
  ir::TensorType type = tensorType(scores);
  if (type.getRank() > 4)
    return "its scores have " + std::to_string(type.getRank()) +
           " axes, needed at most (batch, heads, queries, keys)";
  if (type.getRank() < 2)
    return "its scores are " + type.shapeStr() + ", needed at least (queries, keys)";
  auto isProduct = [&](Operation *op) { return isa<MatmulOp>(op); };
  if (std::optional<ElementPath> path = findPath(scores, isProduct))
    return std::move(*path);
  return originOf(scores);
}

std::string heed::describe(Operation *op) {
  std::string place = locationStr(op->getLoc());
  return (op->getName().stripDialect() + (place.empty() ? "" : " at " + place)).str();
}
