//===- Intervals.cpp - Integers of a region, linearly ---------------------===//

#include "Transforms/Intervals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heed;

namespace {

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getSignificantBits() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

/// Bounds of one value that is not a sum.
std::optional<KeyExpr> boundOfTerm(Value value, Bound bound, ir::AttentionOp attention) {
  bool upper = bound == Bound::Upper;
  auto operand = [&](Value inner, Bound which) { return boundOf(Linear::of(inner), which, attention); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto shape = attention.getScoreShape();
    int64_t leading = shape.size() - 2;
    auto position = [&](int64_t axis) { // b and h, of which an attention of lower rank has none
      return upper && axis < leading ? KeyExpr::of(shape[axis]) - KeyExpr::constant(1) : KeyExpr::constant(0);
    };
    switch (argument.getArgNumber()) {
    case ir::AttentionOp::batchAt:
      return position(0);
    case ir::AttentionOp::headAt:
      return position(1);
    case ir::AttentionOp::queryAt:
      return upper ? KeyExpr::lastQuery() : KeyExpr::firstQuery();
    default:
      return std::nullopt;
    }
  }
  Operation *op = value.getDefiningOp();
  if (auto divide = dyn_cast<arith::FloorDivSIOp>(op)) {
    std::optional<int64_t> divisor = constantOf(divide.getRhs());
    std::optional<KeyExpr> dividend = operand(divide.getLhs(), bound);
    if (divisor && *divisor > 0 && dividend)
      return KeyExpr::floorDivide(*dividend, *divisor);
    return std::nullopt;
  }
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
    std::optional<KeyExpr> left = operand(op->getOperand(0), bound),
                           right = operand(op->getOperand(1), bound);
    if (!left || !right)
      return std::nullopt;
    return isa<arith::MinSIOp>(op) ? KeyExpr::minimum(*left, *right) : KeyExpr::maximum(*left, *right);
  }
  if (isa<math::AbsIOp>(op)) {
    if (!upper)
      return KeyExpr::constant(0);
    std::optional<KeyExpr> most = operand(op->getOperand(0), Bound::Upper);
    std::optional<KeyExpr> least = operand(op->getOperand(0), Bound::Lower);
    if (most && least)
      return KeyExpr::maximum(*most, -1 * *least);
  }
  return std::nullopt;
}

} // namespace

void Linear::add(const Term &term) {
  for (auto known = terms.begin(); known != terms.end(); ++known)
    if (known->value == term.value && known->extent == term.extent) {
      if ((known->coefficient += term.coefficient) == 0)
        terms.erase(known);
      return;
    }
  if (term.coefficient != 0)
    terms.push_back(term);
}

Linear Linear::plus(const Linear &other, int64_t factor) const {
  Linear sum = *this;
  sum.number += factor * other.number;
  for (const Term &term : other.terms)
    sum.add({term.value, term.extent, factor * term.coefficient});
  return sum;
}

int64_t Linear::remove(Value value) {
  for (auto known = terms.begin(); known != terms.end(); ++known)
    if (known->value == value) {
      int64_t coefficient = known->coefficient;
      terms.erase(known);
      return coefficient;
    }
  return 0;
}

Linear Linear::of(Value value) {
  Linear result;
  if (std::optional<int64_t> number = constantOf(value)) {
    result.number = *number;
    return result;
  }
  Operation *op = value.getDefiningOp();
  if (auto extent = dyn_cast_or_null<ir::ExtentValueOp>(op)) {
    result.add({{}, extent.getExtent(), 1});
    return result;
  }
  if (isa_and_present<arith::AddIOp, arith::SubIOp>(op))
    return of(op->getOperand(0)).plus(of(op->getOperand(1)), isa<arith::AddIOp>(op) ? 1 : -1);
  if (isa_and_present<arith::MulIOp>(op))
    for (unsigned i : {0, 1})
      if (std::optional<int64_t> factor = constantOf(op->getOperand(i)))
        return Linear().plus(of(op->getOperand(1 - i)), *factor);
  result.add({value, {}, 1});
  return result;
}

std::optional<KeyExpr> heed::boundOf(const Linear &linear, Bound bound, ir::AttentionOp attention) {
  KeyExpr sum = KeyExpr::constant(linear.number);
  for (const Linear::Term &term : linear.terms) {
    if (term.extent) {
      sum = sum + term.coefficient * KeyExpr::of(term.extent);
      continue;
    }
    Bound opposite = bound == Bound::Lower ? Bound::Upper : Bound::Lower;
    std::optional<KeyExpr> part = boundOfTerm(term.value, term.coefficient > 0 ? bound : opposite, attention);
    if (!part)
      return std::nullopt;
    sum = sum + term.coefficient * *part;
  }
  return sum;
}

bool heed::dependsOnKey(Value value, ir::AttentionOp attention) {
  if (value == attention.getBody().getArgument(ir::AttentionOp::keyAt))
    return true;
  Operation *op = value.getDefiningOp();
  return op &&
         llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnKey(operand, attention); });
}
