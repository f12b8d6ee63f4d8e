//===- Intervals.cpp - Integers of a region, linearly ---------------------===//

#include "Transforms/Intervals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace heed;

namespace {

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.getSignificantBits() <= 64)
    return number.getSExtValue();
  return std::nullopt;
}

} // namespace

void Linear::add(const Term &term) {
  for (auto known = terms.begin(); known != terms.end(); ++known)
    if (known->value == term.value && known->extent == term.extent) {
      known->coefficient = checked(known->coefficient + term.coefficient);
      if (known->coefficient == 0)
        terms.erase(known);
      return;
    }
  if (term.coefficient != 0)
    terms.push_back(term);
}

Linear Linear::plus(const Linear &other, int64_t factor) const {
  Linear sum = *this;
  sum.isHuge |= other.isHuge;
  factor = sum.checked(factor);
  sum.number = sum.checked(sum.number + factor * other.number);
  for (const Term &term : other.terms)
    sum.add({term.value, term.extent, sum.checked(factor * term.coefficient)});
  return sum;
}

int64_t Linear::checked(int64_t value) {
  constexpr int64_t limit = int64_t(1) << 31; // a product of two and a sum of products fit 64 bits
  isHuge |= value > limit || value < -limit;
  return isHuge ? 0 : value;
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
    result.number = result.checked(*number);
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

std::optional<KeyExpr> Bounds::of(const Linear &linear, Bound bound) {
  if (linear.isHuge)
    return std::nullopt;
  KeyExpr sum = KeyExpr::constant(linear.number);
  int dependent = 0; // terms that move with the query; the extremes of two need not meet in one query
  for (const Linear::Term &term : linear.terms) {
    if (term.extent) {
      sum = sum + term.coefficient * KeyExpr::of(term.extent);
      continue;
    }
    Bound opposite = bound == Bound::Lower ? Bound::Upper : Bound::Lower;
    std::optional<KeyExpr> part = ofTerm(term.value, term.coefficient > 0 ? bound : opposite);
    if (!part)
      return std::nullopt;
    sum = sum + term.coefficient * *part;
    dependent += dependsOn(term.value, ir::AttentionOp::queryAt);
  }
  exact &= dependent <= 1;
  return sum;
}

std::optional<KeyExpr> Bounds::ofTerm(Value value, Bound bound) {
  bool upper = bound == Bound::Upper;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    switch (argument.getArgNumber()) {
    case ir::AttentionOp::batchAt:
      return ofLeading(0, bound);
    case ir::AttentionOp::headAt:
      return ofLeading(1, bound);
    case ir::AttentionOp::queryAt:
      return upper ? KeyExpr::lastQuery() : KeyExpr::firstQuery();
    default:
      return std::nullopt;
    }
  }
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i, Bound which) { return of(Linear::of(op->getOperand(i)), which); };
  if (auto element = dyn_cast<ir::ElementOp>(op))
    return ofElement(element);
  if (auto divide = dyn_cast<arith::FloorDivSIOp>(op)) {
    std::optional<int64_t> divisor = constantOf(divide.getRhs());
    std::optional<KeyExpr> dividend = operand(0, bound);
    if (divisor && *divisor > 0 && dividend)
      return KeyExpr::floorDivide(*dividend, *divisor);
    return std::nullopt;
  }
  if (isa<arith::MinSIOp, arith::MaxSIOp, arith::SelectOp>(op)) {
    bool isChoice = isa<arith::SelectOp>(op);
    std::optional<KeyExpr> left = operand(isChoice, bound), right = operand(isChoice + 1, bound);
    if (!left || !right)
      return std::nullopt;
    exact &= !isChoice;
    bool isMinimum = isChoice ? !upper : isa<arith::MinSIOp>(op);
    return isMinimum ? KeyExpr::minimum(*left, *right) : KeyExpr::maximum(*left, *right);
  }
  if (isa<math::AbsIOp>(op)) {
    exact = false; // the smallest |x| may lie anywhere between
    if (!upper)
      return KeyExpr::constant(0);
    std::optional<KeyExpr> most = operand(0, Bound::Upper), least = operand(0, Bound::Lower);
    if (most && least)
      return KeyExpr::maximum(*most, -1 * *least);
  }
  return std::nullopt;
}

/// b or h, of which an attention of lower rank has none. A tile knows its own, which a bound does not.
KeyExpr Bounds::ofLeading(int64_t axis, Bound bound) {
  if (axis >= int64_t(shape.size()) - 2 || shape[axis].isOne())
    return KeyExpr::constant(0);
  exact = false;
  return bound == Bound::Upper ? KeyExpr::of(shape[axis]) - KeyExpr::constant(1) : KeyExpr::constant(0);
}

/// An integer of a capture that the tile's batch and head alone choose: each index is one of them and inside
/// its axis, or 0.
std::optional<KeyExpr> Bounds::ofElement(ir::ElementOp element) {
  if (!element.getType().isInteger(64))
    return std::nullopt;
  SmallVector<unsigned, 2> seen;
  for (auto [index, extent] :
       llvm::zip_equal(element.getIndices(), ir::tensorType(element.getTensor()).getShape())) {
    if (extent.isOne() || (extent.isStatic() && extent.getValue() > 0 && constantOf(index) == 0))
      continue;
    auto argument = dyn_cast<BlockArgument>(index);
    unsigned number = argument ? argument.getArgNumber() : ir::AttentionOp::keyAt;
    if (number > ir::AttentionOp::headAt || llvm::is_contained(seen, number))
      return std::nullopt;
    int64_t axis = number - ir::AttentionOp::batchAt;
    if (axis >= int64_t(shape.size()) - 2 || extent != shape[axis])
      return std::nullopt;
    seen.push_back(number);
  }
  return KeyExpr::of(Value(element));
}

bool Bounds::dependsOn(Value value, unsigned argument) const {
  Value source = body.getArgument(argument);
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size() && !values.contains(source); ++i)
    if (Operation *op = values[i].getDefiningOp())
      values.insert(op->operand_begin(), op->operand_end());
  return values.contains(source);
}
