//===- MatrixScalars.cpp - Elements of matrices in a region ----------------===//

#include "Transforms/MatrixScalars.h"

#include "Dialect/Scalars.h"
#include "Transforms/ElementScalars.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// Whether storing the tensor would take space for queries × keys.
bool isMatrix(ir::TensorType type) {
  return type.getRank() >= 2 && !type.getExtent(-1).isOne() && !type.getExtent(-2).isOne();
}

} // namespace

MatrixScalars::MatrixScalars(OpBuilder &builder, Block &block, const ElementPath &path, int64_t rank,
                             llvm::SetVector<Value> &captures)
    : builder(builder), block(block), path(path), rank(rank), captures(captures) {}

Value MatrixScalars::of(Value tensor) {
  if (auto known = scalars.find(tensor); known != scalars.end())
    return known->second;
  Value scalar = build(tensor);
  return scalars[tensor] = scalar;
}

Value MatrixScalars::build(Value tensor) {
  if (Value constant = buildConstantScalar(builder, tensor))
    return constant;
  Operation *op = tensor.getDefiningOp();
  SmallVector<Value> positions = positionsOf(tensorType(tensor));
  if (!op || (!path.contains(op) && !isMatrix(tensorType(tensor))))
    return buildElement(tensor, positions);
  if (isElementwise(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(of(operand));
    return buildElementScalar(builder, op, operands);
  }
  if (isa<MaskOp, ScoreModOp>(op))
    return buildProgram(op);
  if (auto dropout = dyn_cast<DropoutOp>(op))
    return buildDropout(dropout);
  if (auto map = dyn_cast<MapOp>(op))
    return buildTable(map);
  if (auto repeat = dyn_cast<RepeatHeadsOp>(op)) {
    positions[1] = buildRepeatedHead(builder, repeat, positions[1]);
    return buildElement(repeat.getInput(), positions);
  }
  return buildElement(tensor, positions);
}

Value MatrixScalars::buildProgram(Operation *op) {
  Value score = of(op->getOperand(0));
  SmallVector<Value> positions = positionsOf(tensorType(op->getResult(0))), tensors;
  for (Value operand : op->getOperands().drop_front())
    tensors.push_back(capture(operand));
  return buildProgramScalar(builder, op, score, positions, tensors);
}

Value MatrixScalars::buildTable(MapOp op) {
  SmallVector<Value> arguments;
  for (Value input : op.getInputs())
    arguments.push_back(of(input));
  for (Value operand : op.getCaptures())
    arguments.push_back(capture(operand));
  return inlineRegion(builder, op.getBody(), arguments, positionsOf(op.getType()));
}

Value MatrixScalars::buildDropout(DropoutOp op) {
  Value x = of(op.getInput()), probability = of(op.getProbability()), seed = of(op.getSeed());
  return buildDropoutScalar(builder, op, x, probability, seed, positionsOf(op.getType()));
}

Value MatrixScalars::buildElement(Value tensor, ValueRange indices) {
  return ElementOp::create(builder, tensor.getLoc(), capture(tensor), indices);
}

/// Axes from the right are k, q, h, b; with one leading axis less, that axis is b.
SmallVector<Value> MatrixScalars::positionsOf(ir::TensorType type) {
  SmallVector<unsigned, 4> arguments = {AttentionOp::queryAt, AttentionOp::keyAt};
  if (rank >= 4)
    arguments.insert(arguments.begin(), AttentionOp::headAt);
  if (rank >= 3)
    arguments.insert(arguments.begin(), AttentionOp::batchAt);
  SmallVector<Value> positions;
  for (auto [extent, argument] :
       llvm::zip_equal(type.getShape(), ArrayRef<unsigned>(arguments).take_back(type.getRank()))) {
    Value zero;
    if (extent.isOne())
      zero = ScalarBuilder(builder, block.getArgument(argument).getLoc()).constant(0, builder.getI64Type());
    positions.push_back(zero ? zero : block.getArgument(argument));
  }
  return positions;
}

Value MatrixScalars::capture(Value tensor) {
  if (captures.insert(tensor))
    block.addArgument(tensor.getType(), tensor.getLoc());
  unsigned index = llvm::find(captures, tensor) - captures.begin();
  return block.getArgument(AttentionOp::capturesAt + index);
}
