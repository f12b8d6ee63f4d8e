//===- Scalars.cpp - Arithmetic inside regions ----------------------------===//

#include "Dialect/Scalars.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

Value ScalarBuilder::constant(double number, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return create<arith::ConstantOp>(TypedAttr(builder.getFloatAttr(floatType, number)));
  return create<arith::ConstantOp>(TypedAttr(builder.getIntegerAttr(type, int64_t(number))));
}

Value ScalarBuilder::convert(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (type.isInteger(1))
    return compare(Comparison::NotEqual, value, constant(0, from));
  if (from.isInteger(1))
    return isa<FloatType>(type) ? Value(arith::UIToFPOp::create(builder, location, type, value))
                                : Value(arith::ExtUIOp::create(builder, location, type, value));
  if (!isFloat(value))
    return arith::SIToFPOp::create(builder, location, type, value);
  if (!isa<FloatType>(type))
    return arith::FPToSIOp::create(builder, location, type, value);
  if (type.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, location, type, value);
  return arith::TruncFOp::create(builder, location, type, value);
}

Value ScalarBuilder::add(Value left, Value right) {
  return either<arith::AddIOp, arith::AddFOp>(left, right);
}

Value ScalarBuilder::subtract(Value left, Value right) {
  return either<arith::SubIOp, arith::SubFOp>(left, right);
}

Value ScalarBuilder::multiply(Value left, Value right) {
  return either<arith::MulIOp, arith::MulFOp>(left, right);
}

Value ScalarBuilder::divide(Value left, Value right) {
  return either<arith::FloorDivSIOp, arith::DivFOp>(left, right);
}

Value ScalarBuilder::remainder(Value left, Value right) {
  Value quotient = divide(left, right);
  if (isFloat(left))
    quotient = create<math::FloorOp>(quotient);
  Value result = subtract(left, multiply(quotient, right));
  if (isFloat(left) || matchPattern(right, m_NonZero()))
    return result;
  // As the quotient, 0 where the divisor is 0.
  Value zero = constant(0, right.getType());
  return select(compare(Comparison::NotEqual, right, zero), result, zero);
}

Value ScalarBuilder::minimum(Value left, Value right) {
  return either<arith::MinSIOp, arith::MinimumFOp>(left, right);
}

Value ScalarBuilder::maximum(Value left, Value right) {
  return either<arith::MaxSIOp, arith::MaximumFOp>(left, right);
}

Value ScalarBuilder::negate(Value value) {
  return isFloat(value) ? create<arith::NegFOp>(value) : subtract(constant(0, value.getType()), value);
}

Value ScalarBuilder::absolute(Value value) {
  return isFloat(value) ? create<math::AbsFOp>(value) : create<math::AbsIOp>(value);
}

Value ScalarBuilder::logistic(Value value) {
  Value one = constant(1, value.getType());
  return divide(one, add(one, create<math::ExpOp>(negate(value))));
}

Value ScalarBuilder::compare(Comparison comparison, Value left, Value right) {
  if (isFloat(left)) {
    using P = arith::CmpFPredicate;
    constexpr P predicates[] = {P::OLT, P::OLE, P::OGT, P::OGE, P::OEQ, P::UNE};
    return create<arith::CmpFOp>(predicates[unsigned(comparison)], left, right);
  }
  // Truth is ordered false < true: as unsigned numbers.
  using P = arith::CmpIPredicate;
  constexpr P integers[] = {P::slt, P::sle, P::sgt, P::sge, P::eq, P::ne};
  constexpr P truths[] = {P::ult, P::ule, P::ugt, P::uge, P::eq, P::ne};
  bool isTruth = left.getType().isInteger(1);
  return create<arith::CmpIOp>((isTruth ? truths : integers)[unsigned(comparison)], left, right);
}

Value ScalarBuilder::logicalAnd(Value left, Value right) { return create<arith::AndIOp>(left, right); }

Value ScalarBuilder::logicalOr(Value left, Value right) { return create<arith::OrIOp>(left, right); }

Value ScalarBuilder::logicalNot(Value value) {
  return create<arith::XOrIOp>(value, constant(1, value.getType()));
}

Value ScalarBuilder::select(Value condition, Value consequent, Value otherwise) {
  return create<arith::SelectOp>(condition, consequent, otherwise);
}
