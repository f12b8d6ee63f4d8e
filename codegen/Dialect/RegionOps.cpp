//===- RegionOps.cpp - Operations with a region of scalars ----------------===//

#include "Dialect/Regions.h"
#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

LogicalResult verifyScores(Operation *op, ir::TensorType scores) {
  StringRef name = op->getName().stripDialect();
  if (scores.getRank() != 4 || !isa<FloatType>(scores.getElementType()))
    return op->emitError() << name << ": scores are " << scores
                           << ", needed floating point (batch, heads, queries, keys)";
  if (op->getResult(0).getType() != scores)
    return op->emitError() << name << ": result is " << op->getResult(0).getType() << ", needed " << scores;
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// Mask, score program
//===----------------------------------------------------------------------===//

LogicalResult MaskOp::verify() {
  if (failed(verifyScores(*this, getScores().getType())))
    return failure();
  Type truth = IntegerType::get(getContext(), 1);
  return verifyRegion(*this, getBody(), positionTypes(getContext(), {}, getCaptures().getTypes()), truth);
}

void MaskOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, {"b", "h", "q", "k"}, setName);
}

LogicalResult ScoreModOp::verify() {
  if (failed(verifyScores(*this, getScores().getType())))
    return failure();
  Type score = getScores().getType().getScalarType();
  return verifyRegion(*this, getBody(), positionTypes(getContext(), score, getCaptures().getTypes()), score);
}

void ScoreModOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, {"score", "b", "h", "q", "k"}, setName);
}

//===----------------------------------------------------------------------===//
// Map
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() { return verifyElements(*this, getBody(), {}, getInputs(), getCaptures()); }

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
  int64_t rank = tensorType((*this)->getParentOp()->getResult(0)).getRank();
  if (getAxis() >= uint64_t(rank))
    return emitError() << "position: axis is " << int64_t(getAxis())
                       << ", needed an axis of the result, 0 to " << rank - 1;
  return success();
}

OpFoldResult ExtentValueOp::fold(FoldAdaptor) {
  if (!getExtent().isStatic())
    return {};
  return IntegerAttr::get(IntegerType::get(getContext(), 64), getExtent().getValue());
}
