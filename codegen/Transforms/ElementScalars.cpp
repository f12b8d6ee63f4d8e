//===- ElementScalars.cpp - Tensor words as scalar arithmetic -------------===//

#include "Transforms/ElementScalars.h"

#include "Dialect/Scalars.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace heed;
using namespace heed::ir;

bool heed::isElementwise(Operation *op) { return op && op->hasTrait<ElementwiseTrait>(); }

Value heed::buildElementScalar(OpBuilder &builder, Operation *op, ValueRange x) {
  ScalarBuilder scalars(builder, op->getLoc());
  Type truth = builder.getI1Type();
  auto compare = [&](Comparison comparison) { return scalars.compare(comparison, x[0], x[1]); };
  auto asTruth = [&](unsigned i) { return scalars.convert(x[i], truth); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) { return scalars.add(x[0], x[1]); })
      .Case([&](SubtractOp) { return scalars.subtract(x[0], x[1]); })
      .Case([&](MultiplyOp) { return scalars.multiply(x[0], x[1]); })
      .Case([&](DivideOp) { return scalars.divide(x[0], x[1]); })
      .Case([&](MinimumOp) { return scalars.minimum(x[0], x[1]); })
      .Case([&](MaximumOp) { return scalars.maximum(x[0], x[1]); })
      .Case([&](NegateOp) { return scalars.negate(x[0]); })
      .Case([&](AbsoluteOp) { return scalars.absolute(x[0]); })
      .Case([&](SquareRootOp) { return scalars.create<math::SqrtOp>(x[0]); })
      .Case([&](ExponentialOp) { return scalars.create<math::ExpOp>(x[0]); })
      .Case([&](LogarithmOp) { return scalars.create<math::LogOp>(x[0]); })
      .Case([&](HyperbolicTangentOp) { return scalars.create<math::TanhOp>(x[0]); })
      .Case([&](ErrorFunctionOp) { return scalars.create<math::ErfOp>(x[0]); })
      .Case([&](LogisticOp) { return scalars.logistic(x[0]); })
      .Case([&](LessOp) { return compare(Comparison::Less); })
      .Case([&](LessEqualOp) { return compare(Comparison::LessEqual); })
      .Case([&](GreaterOp) { return compare(Comparison::Greater); })
      .Case([&](GreaterEqualOp) { return compare(Comparison::GreaterEqual); })
      .Case([&](EqualOp) { return compare(Comparison::Equal); })
      .Case([&](NotEqualOp) { return compare(Comparison::NotEqual); })
      .Case([&](LogicalAndOp) { return scalars.logicalAnd(asTruth(0), asTruth(1)); })
      .Case([&](LogicalOrOp) { return scalars.logicalOr(asTruth(0), asTruth(1)); })
      .Case([&](ConvertOp convert) { return scalars.convert(x[0], convert.getType().getScalarType()); })
      .Case([&](LogicalNotOp) { return scalars.logicalNot(asTruth(0)); })
      .Case([&](WhereOp) { return scalars.select(asTruth(0), x[1], x[2]); });
}

Value heed::buildConstantScalar(OpBuilder &builder, Value tensor) {
  auto constant = tensor.getDefiningOp<ConstantOp>();
  if (!constant)
    return {};
  return ScalarBuilder(builder, constant.getLoc())
      .constant(constant.getValue().convertToDouble(), constant.getType().getScalarType());
}

Value heed::inlineRegion(OpBuilder &builder, Region &region, ValueRange arguments, ValueRange positions) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator()) {
    if (auto position = dyn_cast<PositionOp>(op); position && !positions.empty())
      mapping.map(position.getResult(), positions[position.getAxis()]);
    else
      builder.clone(op, mapping);
  }
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}

Value heed::buildProgramScalar(OpBuilder &builder, Operation *op, Value score, ValueRange positions,
                               ValueRange captures) {
  SmallVector<Value> arguments;
  if (isa<ScoreModOp>(op))
    arguments.push_back(score);
  llvm::append_range(arguments, positions);
  llvm::append_range(arguments, captures);
  Value result = inlineRegion(builder, op->getRegion(0), arguments);
  if (isa<ScoreModOp>(op))
    return result;
  ScalarBuilder scalars(builder, op->getLoc());
  return scalars.select(result, score, scalars.constant(-INFINITY, score.getType()));
}

Value heed::buildDropoutScalar(OpBuilder &builder, DropoutOp op, Value x, Value probability, Value seed,
                               ValueRange positions) {
  Location location = op.getLoc();
  ScalarBuilder scalars(builder, location);
  Type i64 = builder.getI64Type();
  Value index = scalars.constant(0, i64);
  for (auto [extent, position] : llvm::zip_equal(op.getType().getShape(), positions))
    index =
        scalars.add(scalars.multiply(index, ExtentValueOp::create(builder, location, i64, extent)), position);
  Value uniform = UniformOp::create(builder, location, builder.getF32Type(), seed, index, op.getSite());
  Value keeps =
      scalars.compare(Comparison::GreaterEqual, uniform, scalars.convert(probability, builder.getF32Type()));
  Value one = scalars.constant(1, probability.getType());
  Value factor = scalars.divide(one, scalars.subtract(one, probability));
  Value scaled = scalars.multiply(x, scalars.convert(factor, x.getType()));
  return scalars.select(keeps, scaled, scalars.constant(0, x.getType()));
}

Value heed::buildRepeatedHead(OpBuilder &builder, RepeatHeadsOp op, Value head) {
  ExtentAttr times = op.getType().getExtent(1).divide(op.getInput().getType().getExtent(1));
  Value number = ExtentValueOp::create(builder, op.getLoc(), builder.getI64Type(), times);
  return ScalarBuilder(builder, op.getLoc()).divide(head, number);
}

void heed::eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}
