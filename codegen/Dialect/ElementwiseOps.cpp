//===- ElementwiseOps.cpp - Element-by-element words ----------------------===//

#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

InferredType infer(EmitError emitError, StringRef op, ElementRule rule, ValueRange operands) {
  return inferElementwise(emitError, op, rule, llvm::map_to_vector(operands, tensorType));
}

template <typename OpTy> void buildOp(OperationState &state, ElementRule rule, ValueRange operands) {
  StringRef name = OpTy::getOperationName();
  name.consume_front("heed.");
  state.addOperands(operands);
  state.addTypes(
      mustInfer(state, [&](EmitError emitError) { return infer(emitError, name, rule, operands); }));
}

LogicalResult verifyOp(Operation *op, ElementRule rule) {
  auto emitError = [op] { return op->emitError(); };
  StringRef name = op->getName().stripDialect();
  InferredType inferred = infer(emitError, name, rule, op->getOperands());
  if (failed(inferred))
    return failure();
  if (*inferred != op->getResult(0).getType())
    return op->emitError() << name << ": result is " << op->getResult(0).getType() << ", needed "
                           << *inferred;
  return success();
}

/// The double behind a folded operand, if it is constant.
std::optional<double> number(Attribute value) {
  if (auto attribute = dyn_cast_or_null<FloatAttr>(value))
    return attribute.getValueAsDouble();
  return std::nullopt;
}

/// Arithmetic on two constants, and on one that changes nothing: `neutral` at the right, and at the left
/// where the operation commutes. Integers are left alone: their constants are exact only up to 2^53.
template <typename Function>
OpFoldResult foldArithmetic(Operation *op, ArrayRef<Attribute> constants, double neutral, bool commutes,
                            Function function) {
  auto type = cast<ir::TensorType>(op->getResult(0).getType());
  if (!isa<FloatType>(type.getElementType()))
    return {};
  std::optional<double> left = number(constants[0]), right = number(constants[1]);
  if (left && right)
    return FloatAttr::get(Float64Type::get(op->getContext()), function(*left, *right));
  if (right == neutral && op->getOperand(0).getType() == type)
    return op->getOperand(0);
  if (commutes && left == neutral && op->getOperand(1).getType() == type)
    return op->getOperand(1);
  return {};
}

} // namespace

void AddOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<AddOp>(state, ElementRule::Arithmetic, {left, right});
}
LogicalResult AddOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void SubtractOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<SubtractOp>(state, ElementRule::Arithmetic, {left, right});
}
LogicalResult SubtractOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void MultiplyOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<MultiplyOp>(state, ElementRule::Arithmetic, {left, right});
}
LogicalResult MultiplyOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void DivideOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<DivideOp>(state, ElementRule::Arithmetic, {left, right});
}
LogicalResult DivideOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void MinimumOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<MinimumOp>(state, ElementRule::Arithmetic, {left, right});
}
LogicalResult MinimumOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void MaximumOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<MaximumOp>(state, ElementRule::Arithmetic, {left, right});
}
LogicalResult MaximumOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void NegateOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<NegateOp>(state, ElementRule::Arithmetic, input);
}
LogicalResult NegateOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void AbsoluteOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<AbsoluteOp>(state, ElementRule::Arithmetic, input);
}
LogicalResult AbsoluteOp::verify() { return verifyOp(*this, ElementRule::Arithmetic); }

void SquareRootOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<SquareRootOp>(state, ElementRule::Floating, input);
}
LogicalResult SquareRootOp::verify() { return verifyOp(*this, ElementRule::Floating); }

void ExponentialOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<ExponentialOp>(state, ElementRule::Floating, input);
}
LogicalResult ExponentialOp::verify() { return verifyOp(*this, ElementRule::Floating); }

void LogarithmOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<LogarithmOp>(state, ElementRule::Floating, input);
}
LogicalResult LogarithmOp::verify() { return verifyOp(*this, ElementRule::Floating); }

void HyperbolicTangentOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<HyperbolicTangentOp>(state, ElementRule::Floating, input);
}
LogicalResult HyperbolicTangentOp::verify() { return verifyOp(*this, ElementRule::Floating); }

void ErrorFunctionOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<ErrorFunctionOp>(state, ElementRule::Floating, input);
}
LogicalResult ErrorFunctionOp::verify() { return verifyOp(*this, ElementRule::Floating); }

void LogisticOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<LogisticOp>(state, ElementRule::Floating, input);
}
LogicalResult LogisticOp::verify() { return verifyOp(*this, ElementRule::Floating); }

void LessOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<LessOp>(state, ElementRule::Comparison, {left, right});
}
LogicalResult LessOp::verify() { return verifyOp(*this, ElementRule::Comparison); }

void LessEqualOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<LessEqualOp>(state, ElementRule::Comparison, {left, right});
}
LogicalResult LessEqualOp::verify() { return verifyOp(*this, ElementRule::Comparison); }

void GreaterOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<GreaterOp>(state, ElementRule::Comparison, {left, right});
}
LogicalResult GreaterOp::verify() { return verifyOp(*this, ElementRule::Comparison); }

void GreaterEqualOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<GreaterEqualOp>(state, ElementRule::Comparison, {left, right});
}
LogicalResult GreaterEqualOp::verify() { return verifyOp(*this, ElementRule::Comparison); }

void EqualOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<EqualOp>(state, ElementRule::Comparison, {left, right});
}
LogicalResult EqualOp::verify() { return verifyOp(*this, ElementRule::Comparison); }

void NotEqualOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<NotEqualOp>(state, ElementRule::Comparison, {left, right});
}
LogicalResult NotEqualOp::verify() { return verifyOp(*this, ElementRule::Comparison); }

void LogicalAndOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<LogicalAndOp>(state, ElementRule::Logic, {left, right});
}
LogicalResult LogicalAndOp::verify() { return verifyOp(*this, ElementRule::Logic); }

void LogicalOrOp::build(OpBuilder &, OperationState &state, Value left, Value right) {
  buildOp<LogicalOrOp>(state, ElementRule::Logic, {left, right});
}
LogicalResult LogicalOrOp::verify() { return verifyOp(*this, ElementRule::Logic); }

void LogicalNotOp::build(OpBuilder &, OperationState &state, Value input) {
  buildOp<LogicalNotOp>(state, ElementRule::Logic, input);
}
LogicalResult LogicalNotOp::verify() { return verifyOp(*this, ElementRule::Logic); }

void WhereOp::build(OpBuilder &, OperationState &state, Value condition, Value consequent, Value otherwise) {
  buildOp<WhereOp>(state, ElementRule::Choice, {condition, consequent, otherwise});
}
LogicalResult WhereOp::verify() { return verifyOp(*this, ElementRule::Choice); }

LogicalResult ConvertOp::verify() {
  ir::TensorType input = getInput().getType(), result = getType();
  if (result.getShape() == input.getShape() && isa<FloatType>(result.getElementType()))
    return success();
  return emitError() << "convert: input is " << input << " and result is " << result
                     << ", needed one shape and a floating-point result";
}

/// Whether every number of a type is one of the other.
static bool holds(Type wide, Type narrow) {
  return wide.isF64() ? isa<FloatType>(narrow) : wide.isF32() && narrow.getIntOrFloatBitWidth() == 16;
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  auto inner = getInput().getDefiningOp<ConvertOp>();
  if (!inner || !holds(inner.getType().getElementType(), inner.getInput().getType().getElementType()))
    return {};
  setOperand(inner.getInput());
  return getResult();
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  return foldArithmetic(*this, adaptor.getOperands(), 0, /*commutes=*/true,
                        [](double left, double right) { return left + right; });
}

OpFoldResult SubtractOp::fold(FoldAdaptor adaptor) {
  return foldArithmetic(*this, adaptor.getOperands(), 0, /*commutes=*/false,
                        [](double left, double right) { return left - right; });
}

OpFoldResult MultiplyOp::fold(FoldAdaptor adaptor) {
  return foldArithmetic(*this, adaptor.getOperands(), 1, /*commutes=*/true,
                        [](double left, double right) { return left * right; });
}

OpFoldResult DivideOp::fold(FoldAdaptor adaptor) {
  return foldArithmetic(*this, adaptor.getOperands(), 1, /*commutes=*/false,
                        [](double left, double right) { return left / right; });
}
