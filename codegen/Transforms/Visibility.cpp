//===- Visibility.cpp - Scores of −infinity as hidden keys -----------------===//

#include "Transforms/Visibility.h"

#include "Dialect/Scalars.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace heed;

namespace {

class Splitter {
public:
  explicit Splitter(OpBuilder &builder) : builder(builder) {}

  VisibleScore split(Value value) {
    if (auto known = splits.find(value); known != splits.end())
      return known->second;
    return splits[value] = compute(value);
  }

private:
  VisibleScore compute(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return {value, {}};
    ir::ScalarBuilder scalars(builder, op->getLoc());
    if (matchPattern(value, m_NegInfFloat()))
      return {scalars.constant(0, value.getType()), scalars.constant(0, builder.getI1Type())};
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return splitSelect(select, scalars);
    if (isa<arith::AddFOp, arith::MinimumFOp>(op)) {
      VisibleScore left = split(op->getOperand(0)), right = split(op->getOperand(1));
      if (!left.visible && !right.visible)
        return {value, {}};
      Value score = isa<arith::AddFOp>(op) ? scalars.add(left.score, right.score)
                                           : scalars.minimum(left.score, right.score);
      return {score, both(scalars, left.visible, right.visible)};
    }
    if (isa<arith::SubFOp>(op) || isScaled(op)) {
      VisibleScore left = split(op->getOperand(0));
      if (!left.visible || split(op->getOperand(1)).visible)
        return {value, {}};
      Operation *clone = builder.clone(*op);
      clone->setOperand(0, left.score);
      return {clone->getResult(0), left.visible};
    }
    return {value, {}};
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
  llvm::DenseMap<Value, VisibleScore> splits;
};

} // namespace

VisibleScore heed::splitVisibility(OpBuilder &builder, Value score) { return Splitter(builder).split(score); }
