//===- TensorOps.cpp - Constants, products, views, softmax ----------------===//

#include "Dialect/Regions.h"
#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// An error reporter at an operation.
auto reporter(Operation *op) {
  return [op] { return op->emitError(); };
}

} // namespace

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

void ConstantOp::build(OpBuilder &builder, OperationState &state, double value, Type elementType) {
  build(builder, state, ir::TensorType::get({}, elementType), builder.getF64FloatAttr(value));
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult ConstantOp::verify() {
  if (getType().getRank() != 0)
    return emitError() << "constant: result is " << getType().shapeStr() << ", needed no axes, ()";
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static InferredType inferFrom(EmitError emitError, Value input, Value weight, Value bias) {
  return inferLinear(emitError, tensorType(input), tensorType(weight),
                     bias ? tensorType(bias) : ir::TensorType());
}

void LinearOp::build(OpBuilder &builder, OperationState &state, Value input, Value weight, Value bias) {
  auto infer = [&](EmitError emitError) { return inferFrom(emitError, input, weight, bias); };
  build(builder, state, mustInfer(state, infer), input, weight, bias, /*inputs=*/ValueRange(),
        /*captures=*/ValueRange());
}

LogicalResult LinearOp::verify() {
  if (failed(verifyRoundedResult(*this, inferFrom(reporter(*this), getInput(), getWeight(), getBias()))))
    return failure();
  if (!getEpilogue().empty())
    return verifyElements(*this, getEpilogue(), getType().getScalarType(), getInputs(), getCaptures());
  if (!getInputs().empty() || !getCaptures().empty())
    return emitError() << "linear: " << getInputs().size() << " inputs and " << getCaptures().size()
                       << " captures without an epilogue, needed one that reads them";
  return success();
}

void LinearOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, argument.getArgNumber() == 0 ? "value" : "x");
}

void MatmulOp::build(OpBuilder &builder, OperationState &state, Value left, Value right) {
  auto infer = [&](EmitError emitError) {
    return inferMatmul(emitError, tensorType(left), tensorType(right));
  };
  build(builder, state, mustInfer(state, infer), left, right);
}

LogicalResult MatmulOp::verify() {
  return verifyRoundedResult(*this, inferMatmul(reporter(*this), getLeft().getType(), getRight().getType()));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

void TransposeOp::build(OpBuilder &builder, OperationState &state, Value input) {
  auto infer = [&](EmitError emitError) { return inferTranspose(emitError, tensorType(input)); };
  build(builder, state, mustInfer(state, infer), input);
}

LogicalResult TransposeOp::verify() {
  return verifyResult(*this, inferTranspose(reporter(*this), getInput().getType()));
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<TransposeOp>();
  return inner ? OpFoldResult(inner.getInput()) : OpFoldResult();
}

void SplitHeadsOp::build(OpBuilder &builder, OperationState &state, Value input, ExtentAttr heads) {
  auto infer = [&](EmitError emitError) { return inferSplitHeads(emitError, tensorType(input), heads); };
  build(builder, state, mustInfer(state, infer), input, heads);
}

LogicalResult SplitHeadsOp::verify() {
  return verifyResult(*this, inferSplitHeads(reporter(*this), getInput().getType(), getHeads()));
}

void MergeHeadsOp::build(OpBuilder &builder, OperationState &state, Value input) {
  auto infer = [&](EmitError emitError) { return inferMergeHeads(emitError, tensorType(input)); };
  build(builder, state, mustInfer(state, infer), input);
}

LogicalResult MergeHeadsOp::verify() {
  return verifyResult(*this, inferMergeHeads(reporter(*this), getInput().getType()));
}

OpFoldResult MergeHeadsOp::fold(FoldAdaptor) {
  auto split = getInput().getDefiningOp<SplitHeadsOp>();
  return split ? OpFoldResult(split.getInput()) : OpFoldResult();
}

void PermuteOp::build(OpBuilder &builder, OperationState &state, Value input, ArrayRef<int64_t> permutation) {
  auto infer = [&](EmitError emitError) { return inferPermute(emitError, tensorType(input), permutation); };
  build(builder, state, mustInfer(state, infer), input, builder.getDenseI64ArrayAttr(permutation));
}

LogicalResult PermuteOp::verify() {
  return verifyResult(*this, inferPermute(reporter(*this), getInput().getType(), getPermutation()));
}

OpFoldResult PermuteOp::fold(FoldAdaptor) {
  if (llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getType().getRank())))
    return getInput();
  auto inner = getInput().getDefiningOp<PermuteOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t axis : getPermutation())
    composed.push_back(inner.getPermutation()[axis]);
  setOperand(inner.getInput());
  setPermutation(composed);
  return getResult();
}

void AppendAxisOp::build(OpBuilder &builder, OperationState &state, Value input) {
  auto infer = [&](EmitError emitError) { return inferAppendAxis(emitError, tensorType(input)); };
  build(builder, state, mustInfer(state, infer), input);
}

LogicalResult AppendAxisOp::verify() {
  return verifyResult(*this, inferAppendAxis(reporter(*this), getInput().getType()));
}

LogicalResult DropAxisOp::verify() {
  ir::TensorType input = getInput().getType();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= input.getRank() || !input.getExtent(axis).isOne())
    return emitError() << "drop_axis: axis is " << axis << ", input is " << input.shapeStr()
                       << ", needed an axis of extent 1";
  SmallVector<ExtentAttr> shape(input.getShape());
  shape.erase(shape.begin() + axis);
  return verifyResult(*this, ir::TensorType::get(shape, input.getElementType()));
}

LogicalResult SliceOp::verify() {
  ir::TensorType input = getInput().getType(), result = getType();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= input.getRank())
    return emitError() << "slice: axis is " << axis << ", input is " << input.shapeStr()
                       << ", needed one of its axes";
  SmallVector<ExtentAttr> shape(input.getShape());
  if (result.getRank() == input.getRank())
    shape[axis] = result.getExtent(axis);
  if (failed(verifyResult(*this, ir::TensorType::get(shape, input.getElementType()))))
    return failure();
  // As parts of the operand's extent: numbers, or it can't be told whether the slice lies inside.
  ExtentAttr whole = input.getExtent(axis);
  ExtentAttr length = result.getExtent(axis).divide(whole);
  ExtentAttr start = getStart() ? getStart()->divide(whole) : ExtentAttr();
  auto isNumber = [](ExtentAttr extent) { return !extent || extent.getSymbols().empty(); };
  auto endsInside = [&] {
    __int128 denominator = start ? start.getDenominator() : 1;
    __int128 end = (start ? start.getNumerator() : 0) * __int128(length.getDenominator()) +
                   length.getNumerator() * denominator;
    return end <= denominator * length.getDenominator();
  };
  if (!isNumber(length) || !isNumber(start) || !endsInside())
    return emitError() << "slice: start is " << (getStart() ? getStart()->str() : "0") << " and length "
                       << result.getExtent(axis).str() << ", needed a part of the " << whole.str()
                       << " of axis " << axis;
  return success();
}

OpFoldResult RepeatHeadsOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  auto inner = getInput().getDefiningOp<RepeatHeadsOp>();
  if (!inner)
    return {};
  setOperand(inner.getInput());
  return getResult();
}

LogicalResult RepeatHeadsOp::verify() {
  ir::TensorType from = getInput().getType(), to = getType();
  if (from.getRank() != 4)
    return rankError(reporter(*this), "repeat_heads", "input", from,
                     "four axes, (batch, heads, length, size)");
  SmallVector<ExtentAttr> shape(from.getShape());
  if (to.getRank() == 4)
    shape[1] = to.getExtent(1);
  if (failed(verifyResult(*this, ir::TensorType::get(shape, from.getElementType()))))
    return failure();
  ExtentAttr heads = from.getExtent(1), repeated = to.getExtent(1);
  if (heads.isStatic() && repeated.isStatic() &&
      (heads.getValue() == 0 || repeated.getValue() % heads.getValue() != 0))
    return emitError() << "repeat_heads: input is " << from.shapeStr() << " and result is " << to.shapeStr()
                       << ", needed a multiple of the " << heads.str() << " heads";
  return success();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static ir::TensorType typeOrNull(Value value) { return value ? tensorType(value) : ir::TensorType(); }

void SoftmaxOp::build(OpBuilder &builder, OperationState &state, Value input) {
  build(builder, state, input.getType(), input, /*sink=*/Value(), /*nan_for_empty=*/UnitAttr());
}

LogicalResult SoftmaxOp::verify() {
  return verifyRoundedResult(*this,
                             inferSoftmax(reporter(*this), getInput().getType(), typeOrNull(getSink())));
}

LogicalResult LogSumExpOp::verify() {
  return verifyRoundedResult(*this,
                             inferLogSumExp(reporter(*this), getInput().getType(), typeOrNull(getSink())));
}

LogicalResult DropoutOp::verify() {
  ir::TensorType input = getInput().getType(), p = getProbability().getType(), seed = getSeed().getType();
  if (!isa<FloatType>(input.getElementType()))
    return emitError() << "dropout: elements are " << input.getElementType() << ", needed floating point";
  if (p.getRank() != 0 || !isa<FloatType>(p.getElementType()))
    return emitError() << "dropout: probability is " << p << ", needed one floating-point number, ()";
  if (seed.getRank() != 0 || !seed.getElementType().isSignlessInteger(64))
    return emitError() << "dropout: seed is " << seed << ", needed one i64, ()";
  return verifyResult(*this, input);
}
