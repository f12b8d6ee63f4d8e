//===- AttentionRegions.cpp - What happens to scores and weights -----------===//

#include "Transforms/AttentionRegions.h"

#include "Dialect/Scalars.h"
#include "Transforms/AttentionOperands.h"
#include "Transforms/ElementScalars.h"
#include "Transforms/MatrixScalars.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

/// Skips the constant factors directly after the root, unrounded, where nothing else on the path reads the
/// scores before them.
Value skipFactors(const ElementPath &path, double &scale) {
  Value scores = path.root;
  while (scores != path.result) {
    Operation *only = nullptr;
    for (OpOperand &use : scores.getUses())
      if (path.contains(use.getOwner())) {
        if (only || use.getOperandNumber() != 0)
          return scores;
        only = use.getOwner();
      }
    std::optional<double> factor = factorOfFirst(only);
    if (!factor)
      break;
    scale *= *factor;
    scores = only->getResult(0);
  }
  return scores;
}

/// The factors of the raw score in the region, as long as nothing else reads it; those that a mask came
/// before.
double takeScale(Block &block) {
  double scale = 1;
  Value score = block.getArgument(AttentionOp::scoreAt);
  while (score.hasOneUse()) {
    Operation *op = *score.getUsers().begin();
    APFloat factor(1.0);
    if (isa<arith::NegFOp>(op))
      scale = -scale;
    else if (isa<arith::MulFOp, arith::DivFOp>(op) && op->getOperand(0) == score &&
             matchPattern(op->getOperand(1), m_ConstantFloat(&factor)) && factor.isFiniteNonZero())
      scale = isa<arith::MulFOp>(op) ? scale * factor.convertToDouble() : scale / factor.convertToDouble();
    else
      break;
    op->getResult(0).replaceAllUsesWith(score);
    op->erase();
  }
  return scale;
}

} // namespace

AttentionRegions::AttentionRegions(const ElementPath &scores, HiddenAs as) : matrix(tensorType(scores.root)) {
  Location location = scores.result.getLoc();
  Block &block = addBlock(body, location);
  OpBuilder builder(matrix.getContext()); // the region has no parent yet, which atBlockEnd would ask
  builder.setInsertionPointToEnd(&block);
  MatrixScalars scalars(builder, block, scores, matrix.getRank(), captures);
  scalars.set(skipFactors(scores, scale), block.getArgument(AttentionOp::scoreAt));

  VisibleScore result = splitVisibility(builder, scalars.of(scores.result), as);
  if (!result.visible)
    result.visible = ScalarBuilder(builder, location).constant(1, builder.getI1Type());
  YieldOp::create(builder, location, ValueRange{result.score, result.visible});
  eraseDead(block);
  scale *= takeScale(block);
}

Operation *AttentionRegions::addWeighing(const ElementPath &weights, WeightFunction fits) {
  if (weights.root == weights.result)
    return nullptr;
  Location location = weights.result.getLoc();
  Block &block = addBlock(weighing, location);
  OpBuilder builder(matrix.getContext());
  builder.setInsertionPointToEnd(&block);
  MatrixScalars scalars(builder, block, weights, matrix.getRank(), captures);
  Value weight = block.getArgument(AttentionOp::scoreAt);
  scalars.set(weights.root, weight);
  Value result = scalars.of(weights.result);
  YieldOp::create(builder, location, result);
  if (fits(result, weight)) {
    eraseDead(block);
    return nullptr;
  }
  for (auto [op, depends] : weights.operations)
    if (Value scalar = depends ? scalars.of(op->getResult(0)) : Value();
        scalar && isa<FloatType>(scalar.getType()) && !fits(scalar, weight))
      return op;
  llvm_unreachable("the last operation of the path is its result");
}

void AttentionRegions::moveInto(Region &bodyOf, Region &weighingOf) {
  for (Region *region : {&body, &weighing})
    if (!region->empty()) // captures of the other region
      for (Value capture : getCaptures().drop_front(region->getNumArguments() - AttentionOp::capturesAt))
        region->addArgument(capture.getType(), capture.getLoc());
  bodyOf.takeBody(body);
  weighingOf.takeBody(weighing);
}

Block &AttentionRegions::addBlock(Region &region, Location location) {
  Block &block = region.emplaceBlock();
  Type i64 = IntegerType::get(matrix.getContext(), 64);
  block.addArgument(matrix.getScalarType(), location);
  for (unsigned i = AttentionOp::batchAt; i <= AttentionOp::keyAt; ++i)
    block.addArgument(i64, location);
  for (Value capture : captures)
    block.addArgument(capture.getType(), capture.getLoc());
  return block;
}
