//===- Comparisons.cpp - Comparisons in regions ----------------------------===//

#include "Comparisons.h"

#include "Kernels/Numerics.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heed;
using Halide::Expr;

namespace {

bool isUnequal(arith::CmpFPredicate predicate) {
  return predicate == arith::CmpFPredicate::UNE || predicate == arith::CmpFPredicate::ONE;
}

bool isEquality(arith::CmpFPredicate predicate) {
  return isUnequal(predicate) || predicate == arith::CmpFPredicate::OEQ ||
         predicate == arith::CmpFPredicate::UEQ;
}

Expr compareNumbers(arith::CmpFPredicate predicate, const Expr &a, const Expr &b) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return Halide::Internal::const_false();
  case P::AlwaysTrue:
    return Halide::Internal::const_true();
  case P::OEQ:
  case P::UEQ:
    return a == b;
  case P::ONE:
  case P::UNE:
    return a != b;
  case P::OLT:
  case P::ULT:
    return a < b;
  case P::OLE:
  case P::ULE:
    return a <= b;
  case P::OGT:
  case P::UGT:
    return a > b;
  case P::OGE:
  case P::UGE:
    return a >= b;
  case P::ORD:
    return !Halide::is_nan(a) && !Halide::is_nan(b);
  case P::UNO:
    return Halide::is_nan(a) || Halide::is_nan(b);
  }
  llvm_unreachable("every predicate is listed");
}

} // namespace

Expr heed::compare(arith::CmpIPredicate predicate, const Expr &a, const Expr &b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
  case P::ult:
    return a < b;
  case P::sle:
  case P::ule:
    return a <= b;
  case P::sgt:
  case P::ugt:
    return a > b;
  case P::sge:
  case P::uge:
    return a >= b;
  }
  llvm_unreachable("every predicate is listed");
}

Expr heed::compare(arith::CmpFOp op, const Expr &a, const Expr &b) {
  arith::CmpFPredicate predicate = op.getPredicate();
  if (!matchPattern(op.getRhs(), m_NegInfFloat()) || !isEquality(predicate))
    return compareNumbers(predicate, a, b);
  return isUnequal(predicate) ? !kernels::isHidden(a) : kernels::isHidden(a);
}
