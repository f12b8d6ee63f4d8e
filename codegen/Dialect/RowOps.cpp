//===- RowOps.cpp - Operations along the last axis, and appends -----------===//

#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

StringRef wordOf(Operation *op) { return op->getName().stripDialect(); }

/// (…, k) -> (…) of numbers.
LogicalResult verifyReduction(Operation *op, Type element) {
  ir::TensorType input = tensorType(op->getOperand(0));
  auto emitError = [&] { return op->emitError(); };
  if (input.getRank() == 0)
    return rankError(emitError, wordOf(op), "input", input, "at least one axis");
  if (input.getElementType().isInteger(1))
    return op->emitError() << wordOf(op) << ": elements are i1, needed numbers; use where(condition, 1, 0)";
  return verifyRoundedResult(
      op, ir::TensorType::get(input.getShape().drop_back(), element ? element : input.getElementType()));
}

/// Gain and bias have the shape of a row.
LogicalResult verifyNorm(Operation *op, size_t mostParameters) {
  ir::TensorType input = tensorType(op->getOperand(0));
  auto emitError = [&] { return op->emitError(); };
  if (input.getRank() == 0)
    return rankError(emitError, wordOf(op), "input", input, "at least one axis");
  if (!isa<FloatType>(input.getElementType()))
    return op->emitError() << wordOf(op) << ": elements are " << input.getElementType()
                           << ", needed floating point";
  if (op->getNumOperands() > 1 + mostParameters)
    return op->emitError() << wordOf(op) << ": " << op->getNumOperands() - 1 << " parameters, needed at most "
                           << mostParameters;
  auto row = ir::TensorType::get(input.getExtent(-1), input.getElementType());
  for (Value parameter : op->getOperands().drop_front())
    if (ir::TensorType type = tensorType(parameter);
        type.getShape() != row.getShape() || !mix(type.getElementType(), row.getElementType()))
      return op->emitError() << wordOf(op) << ": a parameter is " << parameter.getType() << ", needed "
                             << row;
  return verifyRoundedResult(op, input);
}

} // namespace

LogicalResult SumOp::verify() { return verifyReduction(*this, {}); }
LogicalResult AmaxOp::verify() { return verifyReduction(*this, {}); }
LogicalResult ArgmaxOp::verify() { return verifyReduction(*this, IntegerType::get(getContext(), 32)); }
LogicalResult LayerNormOp::verify() { return verifyNorm(*this, 2); }
LogicalResult RmsNormOp::verify() { return verifyNorm(*this, 1); }

LogicalResult AppendOp::verify() {
  ir::TensorType cache = getCache().getType(), rows = getRows().getType(), position = getPosition().getType();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= cache.getRank())
    return emitError() << "append: axis is " << axis << ", cache is " << cache.shapeStr()
                       << ", needed one of its axes";
  SmallVector<ExtentAttr> shape(cache.getShape());
  if (rows.getRank() == cache.getRank())
    shape[axis] = rows.getExtent(axis);
  if (auto fit = ir::TensorType::get(shape, cache.getElementType()); rows != fit)
    return emitError() << "append: rows are " << rows << ", needed " << fit;
  if (position.getRank() != 0 || position.getElementType().isInteger(1) ||
      !isa<IntegerType>(position.getElementType()))
    return emitError() << "append: position is " << position << ", needed one i32 or i64, ()";
  return verifyResult(*this, cache);
}
