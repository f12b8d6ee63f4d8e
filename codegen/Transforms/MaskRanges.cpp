//===- MaskRanges.cpp - The keys that a block of queries sees --------------===//

#include "Transforms/MaskRanges.h"

#include "Transforms/Intervals.h"
#include "Transforms/OpenRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heed;

namespace {

/// What a range stands for: the keys that some query of the block sees (too many is safe), or those that all
/// queries see (too few is safe).
enum class Mode { Some, All };

class Solver {
public:
  Solver(Block &body, ArrayRef<ir::ExtentAttr> shape, Mode mode)
      : mode(mode), key(body.getArgument(ir::AttentionOp::keyAt)), bounds(body, shape) {}

  /// The keys for which the condition, or its negation, holds.
  OpenRange solve(Value condition, bool negated) {
    if (matchPattern(condition, m_Zero()))
      return negated ? OpenRange::everything() : OpenRange::nothing();
    if (matchPattern(condition, m_One()))
      return negated ? OpenRange::nothing() : OpenRange::everything();
    Operation *op = condition.getDefiningOp();
    if (isa_and_present<arith::AndIOp, arith::OrIOp>(op)) {
      OpenRange left = solve(op->getOperand(0), negated), right = solve(op->getOperand(1), negated);
      return isa<arith::AndIOp>(op) != negated ? intersection(left, right) : either(left, right);
    }
    if (auto exclusive = dyn_cast_or_null<arith::XOrIOp>(op))
      if (matchPattern(exclusive.getRhs(), m_One()))
        return solve(exclusive.getLhs(), !negated);
    if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
      return either(intersection(solve(select.getCondition(), false), solve(select.getTrueValue(), negated)),
                    intersection(solve(select.getCondition(), true), solve(select.getFalseValue(), negated)));
    if (auto comparison = dyn_cast_or_null<arith::CmpIOp>(op))
      return solveComparison(comparison, negated);
    return unknown();
  }

  bool isExact() const { return exact && bounds.isExact(); }

private:
  OpenRange unknown() {
    exact = false;
    return mode == Mode::Some ? OpenRange::everything() : OpenRange::nothing();
  }

  /// Some: the hull. All: either one is right, the hull is not.
  OpenRange either(const OpenRange &a, const OpenRange &b) {
    if (a.isEmpty)
      return b;
    if (b.isEmpty || mode == Mode::All)
      return a;
    exact &= touch(a, b);
    return hull(a, b);
  }

  OpenRange solveComparison(arith::CmpIOp comparison, bool negated) {
    using P = arith::CmpIPredicate;
    P predicate = negated ? arith::invertPredicate(comparison.getPredicate()) : comparison.getPredicate();
    if (!comparison.getLhs().getType().isInteger(64))
      return unknown();
    Linear difference = Linear::of(comparison.getLhs()).plus(Linear::of(comparison.getRhs()), -1);
    if (std::optional<OpenRange> range = solvePeriodic(difference, predicate))
      return *range;
    Linear opposite = Linear().plus(difference, -1);
    auto strictly = [](const Linear &linear) {
      Linear one;
      one.number = 1;
      return linear.plus(one, 1);
    };
    switch (predicate) {
    case P::sle:
      return solveAtMostZero(difference);
    case P::slt:
      return solveAtMostZero(strictly(difference));
    case P::sge:
      return solveAtMostZero(opposite);
    case P::sgt:
      return solveAtMostZero(strictly(opposite));
    case P::eq:
      return intersection(solveAtMostZero(difference), solveAtMostZero(opposite));
    case P::ne:
      // One key is missing, which leaves no tile without keys; unless the condition is not about keys.
      if (int64_t coefficient = Linear(difference).remove(key); std::abs(coefficient) == 1)
        return porous();
      return unknown();
    default:
      return unknown();
    }
  }

  /// Keys with gaps, but in every `shortestGap` neighbouring keys some that are visible.
  OpenRange porous() { return mode == Mode::Some ? OpenRange::everything() : OpenRange::nothing(); }

  /// Conditions on a remainder of the key, x − d · floor(x / d) with x = ±k + …, by trying all remainders.
  std::optional<OpenRange> solvePeriodic(const Linear &linear, arith::CmpIPredicate predicate) {
    for (const Linear::Term &term : linear.terms) {
      auto divide = term.value ? term.value.getDefiningOp<arith::FloorDivSIOp>() : nullptr;
      APInt divisor;
      if (!divide || !matchPattern(divide.getRhs(), m_ConstantInt(&divisor)))
        continue;
      int64_t d = divisor.getSExtValue(), sign = term.coefficient < 0 ? 1 : -1;
      Linear dividend = Linear::of(divide.getLhs());
      if (d < 1 || d > MaskRanges::shortestGap || term.coefficient != -sign * d ||
          std::abs(Linear(dividend).remove(key)) != 1)
        continue;
      Linear rest = linear.plus(dividend, -sign); // sign · remainder + rest is compared with 0
      rest.remove(term.value);
      if (rest.isHuge || !rest.terms.empty())
        continue;
      int64_t holding = 0;
      for (int64_t remainder = 0; remainder < d; ++remainder)
        holding += arith::applyCmpPredicate(predicate, APInt(64, sign * remainder + rest.number, true),
                                            APInt(64, 0));
      return holding == d ? OpenRange::everything() : holding == 0 ? OpenRange::nothing() : porous();
    }
    return std::nullopt;
  }

  /// linear <= 0: terms that depend on the key and are not linear are taken apart until only key ·
  /// coefficient is left.
  OpenRange solveAtMostZero(Linear linear) {
    for (const Linear::Term &term : linear.terms)
      if (term.value && term.value != key && bounds.dependsOn(term.value, ir::AttentionOp::keyAt))
        return solveNonlinear(linear, term);
    int64_t coefficient = linear.remove(key);
    // coefficient · k <= -rest. Some: for the smallest rest of the block; all: for the largest.
    std::optional<KeyExpr> rest = bounds.of(linear, mode == Mode::Some ? Bound::Lower : Bound::Upper);
    if (!rest)
      return unknown();
    OpenRange range;
    if (coefficient > 0)
      range.upper = KeyExpr::floorDivide(-1 * *rest, coefficient) + KeyExpr::constant(1);
    else if (coefficient < 0)
      range.lower = KeyExpr::floorDivide(*rest + KeyExpr::constant(-coefficient - 1), -coefficient);
    else if (std::optional<int64_t> known = rest->asConstant())
      return *known <= 0 ? OpenRange::everything() : OpenRange::nothing();
    else // the queries alone tell
      range.upper = KeyExpr::allIfPositive(KeyExpr::constant(1) - *rest);
    const KeyExpr &bound = coefficient < 0 ? *range.lower : *range.upper;
    return bound.isFaithful() ? range : unknown();
  }

  OpenRange solveNonlinear(Linear rest, Linear::Term term) {
    rest.remove(term.value);
    Operation *op = term.value.getDefiningOp();
    auto with = [&](const Linear &part, int64_t factor) { return solveAtMostZero(rest.plus(part, factor)); };
    Linear first = Linear::of(op->getOperand(0));
    int64_t c = term.coefficient;
    // c · max(x, y) + rest <= 0 holds for both x and y where c > 0, and for either where c < 0; min is the
    // opposite.
    if (isa<math::AbsIOp>(op))
      return c > 0 ? intersection(with(first, c), with(first, -c)) : either(with(first, c), with(first, -c));
    if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
      OpenRange left = with(first, c), right = with(Linear::of(op->getOperand(1)), c);
      return isa<arith::MaxSIOp>(op) == (c > 0) ? intersection(left, right) : either(left, right);
    }
    APInt divisor;
    if (isa<arith::FloorDivSIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
        divisor.isStrictlyPositive() && std::abs(c) == 1) {
      int64_t d = divisor.getSExtValue();
      // floor(x / d) <= -rest where x <= d · (1 - rest) - 1; floor(x / d) >= rest where x >= d · rest.
      Linear scaled = Linear().plus(rest, d);
      if (c < 0)
        return solveAtMostZero(scaled.plus(first, -1));
      scaled.number += 1 - d;
      return solveAtMostZero(scaled.plus(first, 1));
    }
    return unknown();
  }

  Mode mode;
  Value key;
  Bounds bounds;
  bool exact = true;
};

KeyRange clamped(const OpenRange &range, const KeyExpr &keys) {
  KeyExpr zero = KeyExpr::constant(0);
  if (range.isEmpty)
    return {zero, zero};
  return {range.lower ? KeyExpr::maximum(zero, *range.lower) : zero,
          range.upper ? KeyExpr::minimum(keys, *range.upper) : keys};
}

MaskRanges derive(Block &body, ArrayRef<ir::ExtentAttr> shape) {
  Value visible = cast<ir::YieldOp>(body.getTerminator()).getValues()[1];
  KeyExpr keys = KeyExpr::of(shape.back());
  Solver some(body, shape, Mode::Some), all(body, shape, Mode::All);
  KeyRange range = clamped(some.solve(visible, false), keys);
  return {range, clamped(all.solve(visible, false), keys), some.isExact()};
}

struct AnnotateMaskRangesPass : PassWrapper<AnnotateMaskRangesPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AnnotateMaskRangesPass)
  StringRef getArgument() const override { return "heed-mask-ranges"; }
  StringRef getDescription() const override { return "write the keys that a block of queries sees"; }

  void runOnOperation() override {
    getOperation()->walk([](ir::AttentionOp attention) {
      MaskRanges ranges = deriveMaskRanges(attention);
      Builder builder(attention.getContext());
      attention->setAttr("heed.visible_keys",
                         builder.getStringAttr((ranges.exact ? "" : "some of ") + ranges.visible.str()));
      attention->setAttr("heed.full_keys", builder.getStringAttr(ranges.full.str()));
    });
  }
};

} // namespace

std::string KeyRange::str() const { return "[" + lower.str() + ", " + upper.str() + ")"; }

MaskRanges heed::deriveMaskRanges(ir::AttentionOp attention) {
  return derive(attention.getBody().front(), attention.getScoreShape());
}

MaskRanges heed::deriveMaskRanges(ir::ScoresOp scores) {
  return derive(scores.getBody().front(), scores.getScoreShape());
}

std::unique_ptr<Pass> heed::createAnnotateMaskRangesPass() {
  return std::make_unique<AnnotateMaskRangesPass>();
}
