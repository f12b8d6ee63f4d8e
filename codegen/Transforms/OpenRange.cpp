//===- OpenRange.cpp - Ranges of keys under construction -------------------===//

#include "Transforms/OpenRange.h"

#include "llvm/ADT/STLExtras.h"

using namespace heed;

namespace {

/// By how much one bound is above the other for a block of one query, if that is a number.
std::optional<int64_t> differenceAtOneQuery(const KeyExpr &upper, const KeyExpr &lower) {
  KeyExpr difference = upper - lower, query = KeyExpr::firstQuery();
  if (difference.kind != KeyExpr::Kind::Sum)
    return std::nullopt;
  KeyExpr atOne = KeyExpr::constant(difference.number);
  for (auto [coefficient, operand] : llvm::zip_equal(difference.coefficients, difference.operands))
    atOne = atOne + coefficient * (operand.kind == KeyExpr::Kind::LastQuery ? query : operand);
  return atOne.asConstant();
}

/// One of two bounds if the other is infinite and means nothing.
std::optional<KeyExpr> tighter(const std::optional<KeyExpr> &a, const std::optional<KeyExpr> &b,
                               KeyExpr (*combine)(KeyExpr, KeyExpr)) {
  if (a && b)
    return combine(*a, *b);
  return a ? a : b;
}

} // namespace

OpenRange heed::intersection(const OpenRange &a, const OpenRange &b) {
  if (a.isEmpty || b.isEmpty)
    return OpenRange::nothing();
  return {.lower = tighter(a.lower, b.lower, KeyExpr::maximum),
          .upper = tighter(a.upper, b.upper, KeyExpr::minimum)};
}

OpenRange heed::hull(const OpenRange &a, const OpenRange &b) {
  if (a.isEmpty || b.isEmpty)
    return a.isEmpty ? b : a;
  OpenRange hull;
  if (a.lower && b.lower)
    hull.lower = KeyExpr::minimum(*a.lower, *b.lower);
  if (a.upper && b.upper)
    hull.upper = KeyExpr::maximum(*a.upper, *b.upper);
  return hull;
}

bool heed::touch(const OpenRange &a, const OpenRange &b) {
  auto isSame = [](const std::optional<KeyExpr> &left, const std::optional<KeyExpr> &right) {
    return left && right ? differenceAtOneQuery(*left, *right) == 0 : !left && !right;
  };
  auto reaches = [](const std::optional<KeyExpr> &upper, const std::optional<KeyExpr> &lower) {
    return !upper || !lower || differenceAtOneQuery(*upper, *lower).value_or(-1) >= 0;
  };
  return isSame(a.lower, b.lower) || isSame(a.upper, b.upper) ||
         (reaches(a.upper, b.lower) && reaches(b.upper, a.lower));
}
