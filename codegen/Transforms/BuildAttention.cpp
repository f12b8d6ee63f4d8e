//===- BuildAttention.cpp - Fused forms from paths -------------------------===//

#include "Transforms/BuildAttention.h"

#include "Transforms/AttentionOperands.h"
#include "Transforms/WeightFunctions.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

AttentionOp create(OpBuilder &builder, Location location, const ElementPath &scores,
                   AttentionRegions &regions, Value values, Value sink, ArrayRef<StringRef> produces) {
  auto product = scores.root.getDefiningOp<MatmulOp>();
  AttentionOperands operands = attentionOperands(builder, product, values, regions.getScale());
  auto attention = AttentionOp::create(builder, location, operands.query, operands.key, operands.value, sink,
                                       regions.getCaptures(), operands.scale, produces);
  regions.moveInto(attention.getBody(), attention.getWeighing());
  return attention;
}

/// `element` is the type that is written.
ScoresOp createScores(OpBuilder &builder, Location location, const ElementPath &scores,
                      AttentionRegions &regions, ValueRange statistics, Type element) {
  auto product = scores.root.getDefiningOp<MatmulOp>();
  AttentionOperands operands = attentionOperands(builder, product, /*value=*/{}, regions.getScale());
  auto op = ScoresOp::create(builder, location, operands.query, operands.key, statistics,
                             regions.getCaptures(), operands.scale);
  op.getResult().setType(ir::TensorType::get(op.getType().getShape(), element));
  regions.moveInto(op.getBody(), op.getWeighing());
  return op;
}

} // namespace

AttentionOp heed::buildStatistics(OpBuilder &builder, Location location, const AttentionPlan &plan,
                                  ArrayRef<StringRef> produces) {
  AttentionRegions regions(plan.scores, HiddenAs::MinusInfinity);
  return create(builder, location, plan.scores, regions, /*values=*/{}, plan.sink, produces);
}

AttentionOp heed::buildAttention(OpBuilder &builder, Location location, const AttentionPlan &plan,
                                 const ElementPath &weights, Value values, Operation *&changer) {
  AttentionRegions regions(plan.scores, HiddenAs::MinusInfinity);
  changer = regions.addWeighing(weights, isProportional);
  if (changer)
    return {};
  AttentionOp attention =
      create(builder, location, plan.scores, regions, values, plan.sink, {AttentionOp::outputName});
  attention.setNanForEmpty(plan.nanForEmpty);
  return attention;
}

AttentionOp heed::buildUnnormalized(OpBuilder &builder, Location location, const ElementPath &weights,
                                    Value values) {
  AttentionRegions regions(weights, HiddenAs::Zero);
  AttentionOp attention =
      create(builder, location, weights, regions, values, /*sink=*/{}, {AttentionOp::outputName});
  attention.setUnnormalized(true);
  return attention;
}

AttentionOp heed::produceAlso(AttentionOp attention, ArrayRef<StringRef> names) {
  SmallVector<StringRef> all;
  for (StringRef name :
       {AttentionOp::outputName, AttentionOp::largestName, AttentionOp::sumName, AttentionOp::logSumExpName})
    if (attention.getProduced(name) || llvm::is_contained(names, name))
      all.push_back(name);
  OpBuilder builder(attention);
  auto extended = AttentionOp::create(builder, attention.getLoc(), attention.getQuery(), attention.getKey(),
                                      attention.getValue(), attention.getSink(), attention.getCaptures(),
                                      attention.getScale().convertToDouble(), all);
  extended.setNanForEmpty(attention.getNanForEmpty());
  if (Value output = attention.getOutput())
    extended.getOutput().setType(output.getType());
  extended.getBody().takeBody(attention.getBody());
  extended.getWeighing().takeBody(attention.getWeighing());
  for (StringRef name : attention.getProduces().getAsValueRange<StringAttr>())
    attention.getProduced(name).replaceAllUsesWith(extended.getProduced(name));
  attention.erase();
  return extended;
}

ScoresOp heed::buildScores(OpBuilder &builder, const ElementPath &scores) {
  AttentionRegions regions(scores, HiddenAs::MinusInfinity);
  return createScores(builder, scores.result.getLoc(), scores, regions, /*statistics=*/{},
                      tensorType(scores.result).getElementType());
}

ScoresOp heed::buildWeights(OpBuilder &builder, const AttentionPlan &plan, const ElementPath &weights,
                            AttentionOp statistics) {
  AttentionRegions regions(plan.scores, HiddenAs::MinusInfinity);
  if (regions.addWeighing(weights, keepsZero))
    return {};
  ScoresOp scores = createScores(builder, weights.result.getLoc(), plan.scores, regions,
                                 {statistics.getLargest(), statistics.getSum()},
                                 tensorType(weights.result).getElementType());
  scores.setNanForEmpty(plan.nanForEmpty);
  return scores;
}
