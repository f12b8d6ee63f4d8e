//===- Visibility.cpp - Hidden keys ----------------------------------------===//

#include "Transforms/Visibility.h"

#include "Dialect/Scalars.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <limits>

using namespace mlir;
using namespace heed;

namespace {

/// x of 1 / (1 + exp(−x)), or null.
Value logisticOperand(Operation *op) {
  auto divide = dyn_cast<arith::DivFOp>(op);
  auto sum = divide ? divide.getRhs().getDefiningOp<arith::AddFOp>() : nullptr;
  if (!sum || !matchPattern(divide.getLhs(), m_OneFloat()))
    return {};
  bool oneFirst = matchPattern(sum.getLhs(), m_OneFloat());
  auto exponential = (oneFirst ? sum.getRhs() : sum.getLhs()).getDefiningOp<math::ExpOp>();
  if (!exponential || !(oneFirst || matchPattern(sum.getRhs(), m_OneFloat())))
    return {};
  auto negative = exponential.getOperand().getDefiningOp<arith::NegFOp>();
  return negative ? negative.getOperand() : Value();
}

/// Whether −infinity is among the numbers that a value is made of.
bool isMadeOfMinusInfinity(Value value, llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  Operation *op = value.getDefiningOp();
  return op && (matchPattern(value, m_NegInfFloat()) || llvm::any_of(op->getOperands(), [&](Value operand) {
                  return isMadeOfMinusInfinity(operand, seen);
                }));
}

/// A score whose hidden value is one number.
class Splitter {
public:
  Splitter(OpBuilder &builder, HiddenAs as) : builder(builder), as(as) {}

  VisibleScore split(Value value) {
    if (auto known = splits.find(value); known != splits.end())
      return known->second;
    VisibleScore result = compute(value);
    return splits[value] = result;
  }

private:
  VisibleScore compute(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return {value, {}};
    ir::ScalarBuilder scalars(builder, op->getLoc());
    bool isHidden =
        as == HiddenAs::Zero ? matchPattern(value, m_AnyZeroFloat()) : matchPattern(value, m_NegInfFloat());
    if (isHidden)
      return {scalars.constant(0, value.getType()), scalars.constant(0, builder.getI1Type())};
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return splitSelect(select, scalars);
    VisibleScore result = as == HiddenAs::Zero ? splitWeight(op, scalars) : splitScore(op, scalars);
    return result.visible ? result : VisibleScore{value, {}};
  }

  /// Operations that keep −infinity. Undefined visibility: not understood, or never hidden.
  VisibleScore splitScore(Operation *op, ir::ScalarBuilder &scalars) {
    if (isa<arith::AddFOp, arith::MinimumFOp>(op))
      return splitBoth(op, scalars);
    if ((isa<arith::SubFOp>(op) || isScaled(op)) && !split(op->getOperand(1)).visible)
      return splitFirst(op);
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      return splitFirst(op);
    return {};
  }

  /// Operations that keep 0, or make it of −infinity.
  VisibleScore splitWeight(Operation *op, ir::ScalarBuilder &scalars) {
    if (Value x = logisticOperand(op)) {
      VisibleScore inner = splitArgument(x, scalars);
      return {inner.visible ? scalars.logistic(inner.score) : Value(), inner.visible};
    }
    bool isPositive = isa<arith::MaximumFOp>(op) && matchPattern(op->getOperand(1), m_AnyZeroFloat());
    if (isPositive || isa<math::ExpOp>(op)) {
      VisibleScore inner = splitArgument(op->getOperand(0), scalars);
      return {inner.visible ? withFirst(op, inner.score) : Value(), inner.visible};
    }
    if (isa<arith::MulFOp>(op))
      return splitBoth(op, scalars);
    if (isa<arith::DivFOp, arith::NegFOp, math::AbsFOp, math::SqrtOp, math::TanhOp, arith::ExtFOp,
            arith::TruncFOp>(op))
      return splitFirst(op);
    return {};
  }

  /// What a function makes 0 of. Where it is not understood how the score becomes −infinity, the score itself
  /// tells whether it did.
  VisibleScore splitArgument(Value score, ir::ScalarBuilder &scalars) {
    VisibleScore inner = Splitter(builder, HiddenAs::MinusInfinity).split(score);
    llvm::DenseSet<Value> seen;
    if (inner.visible || !isMadeOfMinusInfinity(score, seen))
      return inner;
    Value minusInfinity = scalars.constant(-std::numeric_limits<double>::infinity(), score.getType());
    return {score, scalars.compare(ir::Comparison::NotEqual, score, minusInfinity)};
  }

  /// Hidden where the first operand is.
  VisibleScore splitFirst(Operation *op) {
    VisibleScore first = split(op->getOperand(0));
    return {first.visible ? withFirst(op, first.score) : Value(), first.visible};
  }

  /// Hidden where one of two operands is.
  VisibleScore splitBoth(Operation *op, ir::ScalarBuilder &scalars) {
    VisibleScore left = split(op->getOperand(0)), right = split(op->getOperand(1));
    Value visible = both(scalars, left.visible, right.visible);
    if (!visible)
      return {};
    Operation *clone = builder.clone(*op);
    clone->setOperands({left.score, right.score});
    return {clone->getResult(0), visible};
  }

  VisibleScore splitSelect(arith::SelectOp select, ir::ScalarBuilder &scalars) {
    VisibleScore yes = split(select.getTrueValue()), no = split(select.getFalseValue());
    Value condition = select.getCondition();
    if (!yes.visible && !no.visible)
      return {select.getResult(), {}};
    if (isNever(no.visible))
      return {yes.score, both(scalars, condition, yes.visible)};
    if (isNever(yes.visible))
      return {no.score, both(scalars, scalars.logicalNot(condition), no.visible)};
    auto orAlways = [&](Value visible) {
      return visible ? visible : scalars.constant(1, builder.getI1Type());
    };
    return {scalars.select(condition, yes.score, no.score),
            scalars.select(condition, orAlways(yes.visible), orAlways(no.visible))};
  }

  Value withFirst(Operation *op, Value first) {
    Operation *clone = builder.clone(*op);
    clone->setOperand(0, first);
    return clone->getResult(0);
  }

  /// x · c or x / c with a positive, finite c, which keeps −infinity what it is.
  static bool isScaled(Operation *op) {
    APFloat factor(0.0);
    return isa<arith::MulFOp, arith::DivFOp>(op) &&
           matchPattern(op->getOperand(1), m_ConstantFloat(&factor)) && factor.isFiniteNonZero() &&
           !factor.isNegative();
  }

  static bool isNever(Value visible) { return visible && matchPattern(visible, m_Zero()); }

  static Value both(ir::ScalarBuilder &scalars, Value left, Value right) {
    return !left ? right : !right ? left : scalars.logicalAnd(left, right);
  }

  OpBuilder &builder;
  HiddenAs as;
  llvm::DenseMap<Value, VisibleScore> splits;
};

} // namespace

VisibleScore heed::splitVisibility(OpBuilder &builder, Value score, HiddenAs as) {
  return Splitter(builder, as).split(score);
}
