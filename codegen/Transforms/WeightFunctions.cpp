//===- WeightFunctions.cpp - What becomes of a weight ----------------------===//

#include "Transforms/WeightFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// What keepsZero knows by now; only float scalars get in.
static bool keepsZero(Value scalar, llvm::DenseMap<Value, bool> &known) {
  if (auto found = known.find(scalar); found != known.end())
    return found->second;
  Operation *op = scalar.getDefiningOp();
  auto keeps = [&](unsigned operand) { return keepsZero(op->getOperand(operand), known); };
  bool result = matchPattern(scalar, m_AnyZeroFloat());
  if (isa_and_present<arith::MulFOp>(op))
    result = keeps(0) || keeps(1);
  else if (isa_and_present<arith::DivFOp, arith::NegFOp, math::AbsFOp, math::SqrtOp, math::TanhOp,
                           math::SinOp, arith::ExtFOp, arith::TruncFOp>(op))
    result = keeps(0);
  else if (isa_and_present<arith::AddFOp, arith::SubFOp, arith::MinimumFOp, arith::MaximumFOp>(op))
    result = keeps(0) && keeps(1);
  else if (isa_and_present<arith::SelectOp>(op))
    result = keeps(1) && keeps(2);
  return known[scalar] = result;
}

bool heed::keepsZero(Value scalar, Value weight) {
  llvm::DenseMap<Value, bool> known = {{weight, true}};
  return ::keepsZero(scalar, known);
}

namespace {

/// How a scalar depends on the weight.
enum class Dependence { None, Proportional, Other };

Dependence dependence(Value scalar, llvm::DenseMap<Value, Dependence> &known);

Dependence ofOperation(Operation *op, llvm::DenseMap<Value, Dependence> &known) {
  using D = Dependence;
  SmallVector<D> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) { return dependence(operand, known); });
  if (llvm::all_of(operands, [](D d) { return d == D::None; }))
    return D::None;
  auto is = [&](std::initializer_list<D> expected) { return llvm::equal(operands, expected); };
  bool result = false;
  if (isa<arith::MulFOp>(op))
    result = is({D::Proportional, D::None}) || is({D::None, D::Proportional});
  else if (isa<arith::DivFOp>(op))
    result = is({D::Proportional, D::None});
  else if (isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp>(op))
    result = is({D::Proportional});
  else if (isa<arith::AddFOp, arith::SubFOp>(op))
    result = is({D::Proportional, D::Proportional});
  else if (isa<arith::SelectOp>(op)) // between multiples, of which 0 is one
    result =
        operands[0] == D::None && llvm::all_of(op->getOperands().drop_front(), [&](Value operand) {
          return matchPattern(operand, m_AnyZeroFloat()) || dependence(operand, known) == D::Proportional;
        });
  return result ? D::Proportional : D::Other;
}

Dependence dependence(Value scalar, llvm::DenseMap<Value, Dependence> &known) {
  if (auto found = known.find(scalar); found != known.end())
    return found->second;
  Operation *op = scalar.getDefiningOp();
  Dependence result = op ? ofOperation(op, known) : Dependence::None;
  known[scalar] = result;
  return result;
}

} // namespace

bool heed::isProportional(Value scalar, Value weight) {
  llvm::DenseMap<Value, Dependence> known = {{weight, Dependence::Proportional}};
  return matchPattern(scalar, m_AnyZeroFloat()) || dependence(scalar, known) == Dependence::Proportional;
}
