//===- AttentionOperands.cpp - Queries, keys and values --------------------===//

#include "Transforms/AttentionOperands.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// The operation with another first operand; its result type follows from it.
Value rebuildView(OpBuilder &builder, Operation *op, Value input) {
  if (auto permute = dyn_cast<PermuteOp>(op))
    return builder.createOrFold<PermuteOp>(op->getLoc(), input, permute.getPermutation());
  return builder.createOrFold<TransposeOp>(op->getLoc(), input);
}

/// Takes constant factors off queries or keys, also through views (transpose, split_heads, …): scaling q, k
/// or their product is the same.
Value peelFactors(OpBuilder &builder, Value value, double &scale) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value;
  if (std::optional<double> factor = factorOfFirst(op)) {
    scale *= *factor;
    return peelFactors(builder, op->getOperand(0), scale);
  }
  if (op->hasTrait<ViewTrait>() || isa<RepeatHeadsOp>(op)) {
    Value inner = peelFactors(builder, op->getOperand(0), scale);
    if (inner == op->getOperand(0))
      return value;
    Operation *clone = builder.clone(*op);
    clone->setOperand(0, inner);
    return clone->getResult(0);
  }
  return value;
}

/// The keys (…, n, d) behind the right side (…, d, n) of the product.
Value keysOf(OpBuilder &builder, Value right) {
  Location location = right.getLoc();
  if (auto permute = right.getDefiningOp<PermuteOp>()) {
    SmallVector<int64_t> permutation(permute.getPermutation());
    std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
    return builder.createOrFold<PermuteOp>(location, permute.getInput(), permutation);
  }
  return builder.createOrFold<TransposeOp>(location, right);
}

/// The repeat_heads whose heads run along an axis of the value, seen through transposes and permutations.
RepeatHeadsOp repeatBehind(Value value, int64_t axis) {
  Operation *op = value.getDefiningOp();
  if (auto repeat = dyn_cast_or_null<RepeatHeadsOp>(op))
    return axis == 1 ? repeat : RepeatHeadsOp();
  if (auto permute = dyn_cast_or_null<PermuteOp>(op))
    return repeatBehind(permute.getInput(), permute.getPermutation()[axis]);
  if (auto transpose = dyn_cast_or_null<TransposeOp>(op)) {
    int64_t rank = transpose.getType().getRank();
    return repeatBehind(transpose.getInput(), axis < rank - 2 ? axis : 2 * rank - 3 - axis);
  }
  return {};
}

/// The value as it would be without the repeat_heads behind it.
Value withoutRepeat(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  if (isa<RepeatHeadsOp>(op))
    return op->getOperand(0);
  return rebuildView(builder, op, withoutRepeat(builder, op->getOperand(0)));
}

ExtentAttr timesRepeated(RepeatHeadsOp repeat) {
  return repeat.getType().getExtent(1).divide(repeat.getInput().getType().getExtent(1));
}

/// Leaves repeated heads of keys and values out, where each meets one group of query heads.
void peelRepeats(OpBuilder &builder, AttentionOperands &operands) {
  auto repeatOf = [](Value value) {
    return tensorType(value).getRank() == 4 ? repeatBehind(value, 1) : RepeatHeadsOp();
  };
  ir::TensorType query = tensorType(operands.query);
  RepeatHeadsOp keys = repeatOf(operands.key);
  if (!keys || query.getRank() != 4 || query.getExtent(1) != keys.getType().getExtent(1))
    return;
  if (operands.value) {
    RepeatHeadsOp values = repeatOf(operands.value);
    if (!values || timesRepeated(values) != timesRepeated(keys))
      return;
    operands.value = withoutRepeat(builder, operands.value);
  }
  operands.key = withoutRepeat(builder, operands.key);
}

} // namespace

std::optional<double> heed::factorOf(Value tensor) {
  auto constant = tensor.getDefiningOp<ConstantOp>();
  if (!constant || !constant.getValue().isFiniteNonZero())
    return std::nullopt;
  return constant.getValue().convertToDouble();
}

std::optional<double> heed::factorOfFirst(Operation *op) {
  if (!isa<MultiplyOp, DivideOp>(op))
    return std::nullopt;
  std::optional<double> number = factorOf(op->getOperand(1));
  return number && isa<DivideOp>(op) ? std::optional(1 / *number) : number;
}

AttentionOperands heed::attentionOperands(OpBuilder &builder, MatmulOp product, Value value, double scale) {
  AttentionOperands operands{.query = {}, .key = {}, .value = value, .scale = scale};
  operands.query = peelFactors(builder, product.getLeft(), operands.scale);
  operands.key = peelFactors(builder, keysOf(builder, product.getRight()), operands.scale);
  peelRepeats(builder, operands);
  return operands;
}
