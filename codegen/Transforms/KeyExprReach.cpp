//===- KeyExprReach.cpp - Whether bounds fit 32 bits -----------------------===//

#include "Transforms/KeyExpr.h"

#include <limits>

using namespace heed;

namespace {

using Kind = KeyExpr::Kind;

constexpr double never = std::numeric_limits<double>::infinity();

/// The values that an expression takes when elements are clamped. Where it is not what it would be with the
/// elements themselves, both are above `above`, or both below -`below`; `never` where it always is.
struct Reach {
  double low, high;
  double above = never, below = never;

  bool isClamped() const { return above != never || below != never; }
  double size() const { return std::max(-low, high); }
  Reach times(double factor) const {
    return factor < 0 ? Reach{factor * high, factor * low, -factor * below, -factor * above}
                      : Reach{factor * low, factor * high, factor * above, factor * below};
  }
};

Reach reachOf(const KeyExpr &expr);

Reach reachOfSum(const KeyExpr &sum) {
  Reach total{double(sum.number), double(sum.number)};
  double others = std::abs(double(sum.number)); // the most that terms without elements add
  int clamped = 0;
  for (auto [coefficient, operand] : llvm::zip_equal(sum.coefficients, sum.operands)) {
    Reach reach = reachOf(operand).times(double(coefficient));
    total.low += reach.low;
    total.high += reach.high;
    if (!reach.isClamped()) {
      others += reach.size();
      continue;
    }
    total.above = reach.above;
    total.below = reach.below;
    ++clamped;
  }
  if (clamped > 1) // two may differ in opposite directions
    return {total.low, total.high, 0, 0};
  return {total.low, total.high, total.above - others, total.below - others};
}

Reach reachOfMinimum(const Reach &a, const Reach &b) {
  // One that is too high is not the smaller one, if the other is known.
  auto above = [](const Reach &one, const Reach &other) {
    return other.above == never && one.above >= other.high ? never : one.above;
  };
  return {std::min(a.low, b.low), std::min(a.high, b.high), std::min(above(a, b), above(b, a)),
          std::min(a.below, b.below)};
}

Reach reachOf(const KeyExpr &expr) {
  auto operand = [&](unsigned i) { return reachOf(expr.operands[i]); };
  switch (expr.kind) {
  case Kind::FirstQuery:
  case Kind::LastQuery:
  case Kind::Extent:
    return {0, double(KeyExpr::positionLimit)};
  case Kind::Element: {
    double limit = KeyExpr::elementLimit;
    return {-limit, limit, limit, limit};
  }
  case Kind::Sum:
    return reachOfSum(expr);
  case Kind::FloorDivide: {
    Reach reach = operand(0);
    if (reach.size() >= 0x1p31)
      return reach;
    double d = double(expr.number);
    return {reach.low / d - 1, reach.high / d, reach.above / d - 1, reach.below / d};
  }
  case Kind::Minimum:
    return reachOfMinimum(operand(0), operand(1));
  case Kind::Maximum:
    return reachOfMinimum(operand(0).times(-1), operand(1).times(-1)).times(-1);
  }
  llvm_unreachable("all kinds are above");
}

} // namespace

bool KeyExpr::isFaithful() const {
  Reach reach = reachOf(*this);
  return reach.size() < 0x1p31 && reach.above >= double(positionLimit) && reach.below >= 0;
}
