//===- AttentionOps.cpp - The fused forms of attention --------------------===//

#include "Dialect/Regions.h"
#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

FailureOr<ScoreShape> scoreShape(Operation *op, Value query, Value key, Value value) {
  auto emitError = [op] { return op->emitError(); };
  return inferScoreShape(emitError, op->getName().stripDialect(), tensorType(query), tensorType(key),
                         value ? tensorType(value) : ir::TensorType());
}

/// Largest, sum and log-sum-exp of rows of scores: one number per row, of the scalars' type.
ir::TensorType statisticType(ArrayRef<ExtentAttr> scores, ir::TensorType query) {
  return ir::TensorType::get(scores.drop_back(), query.getScalarType());
}

/// In the query's type unless it is rounded to another one.
ir::TensorType outputType(ArrayRef<ExtentAttr> scores, ir::TensorType query, ir::TensorType value) {
  ScoreShape shape(scores);
  shape.back() = value.getExtent(-1);
  return ir::TensorType::get(shape, query.getElementType());
}

bool isRounded(ir::TensorType type, ir::TensorType implied) {
  return type.getShape() == implied.getShape() && mix(type.getElementType(), implied.getElementType());
}

/// Both regions of an attention or of its scores.
LogicalResult verifyBodies(Operation *op, ValueRange captures, Type score) {
  MLIRContext *context = op->getContext();
  SmallVector<Type> arguments = positionTypes(context, score, captures.getTypes());
  if (failed(verifyRegion(op, op->getRegion(0), arguments, {score, IntegerType::get(context, 1)})))
    return failure();
  Region &weighing = op->getRegion(1);
  return weighing.empty() ? success() : verifyRegion(op, weighing, arguments, score);
}

void nameRegion(Region &region, OpAsmSetValueNameFn setName) {
  bool isBody = region.getRegionNumber() == 0;
  nameArguments(region, {isBody ? "score" : "weight", "b", "h", "q", "k"}, setName);
}

} // namespace

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

void AttentionOp::buildAttention(OpBuilder &builder, OperationState &state, Value query, Value key,
                                 Value value, Value sink, ValueRange captures, double scale,
                                 ArrayRef<StringRef> produces) {
  ScoreShape scores = mustInfer(state, [&](EmitError emitError) {
    return inferScoreShape(emitError, "attention", tensorType(query), tensorType(key),
                           value ? tensorType(value) : ir::TensorType());
  });
  SmallVector<Type> results;
  for (StringRef name : produces)
    results.push_back(name == outputName ? outputType(scores, tensorType(query), tensorType(value))
                                         : statisticType(scores, tensorType(query)));
  build(builder, state, results, query, key, value, sink, captures, builder.getF64FloatAttr(scale),
        builder.getStrArrayAttr(produces), /*unnormalized=*/UnitAttr(), /*nan_for_empty=*/UnitAttr());
}

Value AttentionOp::getProduced(StringRef name) {
  for (auto [attribute, result] : llvm::zip(getProduces(), getResults()))
    if (cast<StringAttr>(attribute).getValue() == name)
      return result;
  return {};
}

ScoreShape AttentionOp::getScoreShape() { return *scoreShape(*this, getQuery(), getKey(), getValue()); }

ExtentAttr AttentionOp::getHeadsPerKey() {
  return headsPerKey(getQuery().getType(), getKey().getType(),
                     getValue() ? getValue().getType() : ir::TensorType());
}

/// `produces` names results in their order, and only those that the operands allow.
static LogicalResult verifyProduces(AttentionOp op) {
  SmallVector<StringRef> names(op.getProduces().getAsValueRange<StringAttr>());
  constexpr StringRef order[] = {AttentionOp::outputName, AttentionOp::largestName, AttentionOp::sumName,
                                 AttentionOp::logSumExpName};
  const StringRef *next = std::begin(order);
  for (StringRef name : names) {
    next = std::find(next, std::end(order), name);
    if (next == std::end(order))
      return op.emitError() << "attention: produces " << op.getProduces()
                            << ", needed some of output, largest, sum, log_sum_exp in this order";
    ++next;
  }
  if (names.empty() || names.size() != op.getNumResults())
    return op.emitError() << "attention: " << names.size() << " names and " << op.getNumResults()
                          << " results, needed one name per result and at least one";
  if (bool(op.getValue()) != (names.front() == AttentionOp::outputName))
    return op.emitError() << "attention: " << (op.getValue() ? "a value" : "no value") << " and produces "
                          << op.getProduces() << ", needed a value exactly where the output is produced";
  if (op.getUnnormalized() && (names.size() != 1 || !op.getValue() || op.getSink()))
    return op.emitError() << "attention: unnormalized weights with "
                          << (op.getSink() ? "a sink" : "statistics") << ", needed only the output";
  return success();
}

static LogicalResult verifySink(AttentionOp op, ArrayRef<ExtentAttr> scores) {
  if (!op.getSink())
    return success();
  ir::TensorType query = op.getQuery().getType(), sink = tensorType(op.getSink());
  return verifySink([op]() mutable { return op.emitError(); }, "attention", sink,
                    ir::TensorType::get(scores, query.getElementType()));
}

LogicalResult AttentionOp::verify() {
  auto scores = scoreShape(*this, getQuery(), getKey(), getValue());
  if (failed(scores) || failed(verifyProduces(*this)) || failed(::verifySink(*this, *scores)))
    return failure();
  for (auto [attribute, result] : llvm::zip_equal(getProduces(), getResults())) {
    StringRef name = cast<StringAttr>(attribute).getValue();
    ir::TensorType query = getQuery().getType();
    ir::TensorType needed = name == outputName ? outputType(*scores, query, tensorType(getValue()))
                                               : statisticType(*scores, query);
    if (result.getType() != needed && !(name == outputName && isRounded(tensorType(result), needed)))
      return emitError() << "attention: " << name << " is " << result.getType() << ", needed " << needed;
  }
  return verifyBodies(*this, getCaptures(), getQuery().getType().getScalarType());
}

void AttentionOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameRegion(region, setName);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

void ScoresOp::buildScores(OpBuilder &builder, OperationState &state, Value query, Value key,
                           ValueRange statistics, ValueRange captures, double scale) {
  ScoreShape scores = mustInfer(state, [&](EmitError emitError) {
    return inferScoreShape(emitError, "scores", tensorType(query), tensorType(key), {});
  });
  build(builder, state, ir::TensorType::get(scores, tensorType(query).getElementType()), query, key,
        statistics, captures, builder.getF64FloatAttr(scale), /*nan_for_empty=*/UnitAttr());
}

ScoreShape ScoresOp::getScoreShape() { return *scoreShape(*this, getQuery(), getKey(), {}); }

ExtentAttr ScoresOp::getHeadsPerKey() {
  return headsPerKey(getQuery().getType(), getKey().getType(), /*value=*/{});
}

LogicalResult ScoresOp::verify() {
  auto scores = scoreShape(*this, getQuery(), getKey(), {});
  if (failed(scores))
    return failure();
  ir::TensorType needed = ir::TensorType::get(*scores, getQuery().getType().getElementType());
  if (!isRounded(getType(), needed))
    return emitError() << "scores: result is " << getType() << ", needed " << needed;
  if (!getStatistics().empty() && getStatistics().size() != 2)
    return emitError() << "scores: " << getStatistics().size()
                       << " statistics, needed none, or largest and sum";
  ir::TensorType statistic = statisticType(*scores, getQuery().getType());
  for (Value given : getStatistics())
    if (given.getType() != statistic)
      return emitError() << "scores: a statistic is " << given.getType() << ", needed " << statistic;
  if (getStatistics().empty() && !getWeighing().empty())
    return emitError()
           << "scores: weighing without statistics, needed largest and sum: scores have no weights";
  return verifyBodies(*this, getCaptures(), getQuery().getType().getScalarType());
}

void ScoresOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameRegion(region, setName);
}
