//===- RegionOps.cpp - Operations with a region of scalars ----------------===//

#include "Dialect/Shapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// `(f32, i64, i64)`.
std::string typesStr(TypeRange types) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(types, os);
  os << ")";
  return text;
}

/// The region has exactly these arguments and yields exactly these types, and holds only scalar operations.
LogicalResult verifyRegion(Operation *op, TypeRange arguments, TypeRange results) {
  StringRef name = op->getName().stripDialect();
  Block &body = op->getRegion(0).front();
  if (body.getArgumentTypes() != arguments)
    return op->emitError() << name << ": region arguments are " << typesStr(body.getArgumentTypes())
                           << ", needed " << typesStr(arguments);
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return op->emitError() << name << ": region has no heed.yield at its end, needed one";
  if (yield.getValues().getTypes() != results)
    return yield.emitError() << name << ": region yields " << typesStr(yield.getValues().getTypes())
                             << ", needed " << typesStr(results);
  for (Operation &inner : body.without_terminator())
    if (!isa<ElementOp, ExtentValueOp, PositionOp>(inner) &&
        !isa_and_present<arith::ArithDialect, math::MathDialect>(inner.getDialect()))
      return inner.emitError() << name << ": region holds " << inner.getName().getStringRef()
                               << ", needed scalars: arith, math, heed.element, heed.extent_value";
  return success();
}

SmallVector<Type> withIndices(MLIRContext *context, SmallVector<Type> types, unsigned count,
                              TypeRange captures) {
  types.append(count, IntegerType::get(context, 64));
  llvm::append_range(types, captures);
  return types;
}

LogicalResult verifyScores(Operation *op, ir::TensorType scores) {
  StringRef name = op->getName().stripDialect();
  if (scores.getRank() != 4 || !isa<FloatType>(scores.getElementType()))
    return op->emitError() << name << ": scores are " << scores
                           << ", needed floating point (batch, heads, queries, keys)";
  if (op->getResult(0).getType() != scores)
    return op->emitError() << name << ": result is " << op->getResult(0).getType() << ", needed " << scores;
  return success();
}

void nameArguments(Region &region, ArrayRef<StringRef> names, OpAsmSetValueNameFn setName) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    setName(argument, name);
}

} // namespace

//===----------------------------------------------------------------------===//
// Mask, score program
//===----------------------------------------------------------------------===//

LogicalResult MaskOp::verify() {
  if (failed(verifyScores(*this, getScores().getType())))
    return failure();
  Type truth = IntegerType::get(getContext(), 1);
  return verifyRegion(*this, withIndices(getContext(), {}, 4, getCaptures().getTypes()), truth);
}

void MaskOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, {"b", "h", "q", "k"}, setName);
}

LogicalResult ScoreModOp::verify() {
  if (failed(verifyScores(*this, getScores().getType())))
    return failure();
  Type score = getScores().getType().getScalarType();
  return verifyRegion(*this, withIndices(getContext(), {score}, 4, getCaptures().getTypes()), score);
}

void ScoreModOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, {"score", "b", "h", "q", "k"}, setName);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

void AttentionOp::buildAttention(OpBuilder &builder, OperationState &state, Value query, Value key,
                                 Value value, ValueRange captures, double scale) {
  auto infer = [&](EmitError emitError) {
    return inferAttention(emitError, tensorType(query), tensorType(key), tensorType(value));
  };
  state.addTypes(mustInfer(state, infer));
  state.addOperands({query, key, value});
  state.addOperands(captures);
  state.addAttribute(getScaleAttrName(state.name), builder.getF64FloatAttr(scale));
  state.addRegion();
}

SmallVector<ExtentAttr, 4> AttentionOp::getScoreShape() {
  SmallVector<ExtentAttr, 4> shape(getType().getShape());
  shape.back() = getKey().getType().getExtent(-2);
  return shape;
}

LogicalResult AttentionOp::verify() {
  auto emitError = [this] { return this->emitError(); };
  InferredType inferred =
      inferAttention(emitError, getQuery().getType(), getKey().getType(), getValue().getType());
  if (failed(inferred))
    return failure();
  if (*inferred != getType())
    return emitError() << "attention: result is " << getType() << ", needed " << *inferred;
  Type score = getType().getScalarType(), truth = IntegerType::get(getContext(), 1);
  return verifyRegion(*this, withIndices(getContext(), {score}, 4, getCaptures().getTypes()),
                      TypeRange({score, truth}));
}

void AttentionOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, {"score", "b", "h", "q", "k"}, setName);
}

//===----------------------------------------------------------------------===//
// Map
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  for (Value input : getInputs())
    if (!broadcastsTo(tensorType(input).getShape(), getType().getShape()))
      return emitError() << "map: operand is " << tensorType(input).shapeStr() << ", result is "
                         << getType().shapeStr() << ", needed an operand that broadcasts to the result";
  SmallVector<Type> arguments;
  for (Value input : getInputs())
    arguments.push_back(tensorType(input).getScalarType());
  llvm::append_range(arguments, getCaptures().getTypes());
  return verifyRegion(*this, arguments, getType().getScalarType());
}

void MapOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "x");
}

//===----------------------------------------------------------------------===//
// What stands in regions
//===----------------------------------------------------------------------===//

void ElementOp::build(OpBuilder &, OperationState &state, Value tensor, ValueRange indices) {
  state.addOperands(tensor);
  state.addOperands(indices);
  state.addTypes(tensorType(tensor).getScalarType());
}

LogicalResult ElementOp::verify() {
  ir::TensorType tensor = getTensor().getType();
  if (int64_t(getIndices().size()) != tensor.getRank())
    return emitError() << "element: " << getIndices().size() << " indices for " << tensor.shapeStr()
                       << ", needed one per axis";
  if (getResult().getType() != tensor.getScalarType())
    return emitError() << "element: result is " << getResult().getType() << ", needed "
                       << tensor.getScalarType();
  return success();
}

LogicalResult PositionOp::verify() {
  int64_t rank = cast<MapOp>((*this)->getParentOp()).getType().getRank();
  if (getAxis() >= uint64_t(rank))
    return emitError() << "position: axis is " << int64_t(getAxis())
                       << ", needed an axis of the map's result, 0 to " << rank - 1;
  return success();
}

OpFoldResult ExtentValueOp::fold(FoldAdaptor) {
  if (!getExtent().isStatic())
    return {};
  return IntegerAttr::get(IntegerType::get(getContext(), 64), getExtent().getValue());
}
