//===- AttentionShapes.cpp - Shapes of scores and weights -----------------===//

#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

LogicalResult requireScores(EmitError emitError, StringRef op, ir::TensorType input, ir::TensorType sink) {
  if (input.getRank() < 1)
    return rankError(emitError, op, "input", input, "at least one axis");
  if (!isa<FloatType>(input.getElementType()))
    return emitError() << op << ": elements are " << input.getElementType() << ", needed floating point";
  return sink ? verifySink(emitError, op, sink, input) : success();
}

/// Key or value as if they had the query's heads.
SmallVector<ExtentAttr> leadingAxes(ir::TensorType type, ExtentAttr heads, bool grouped) {
  SmallVector<ExtentAttr> shape(type.getShape().drop_back(2));
  if (grouped && shape.size() == 2)
    shape[1] = heads;
  return shape;
}

bool isGrouped(ir::TensorType query, ir::TensorType key) {
  if (query.getRank() != 4 || key.getRank() != 4)
    return false;
  ExtentAttr heads = query.getExtent(1), keyHeads = key.getExtent(1);
  return heads != keyHeads && !heads.isOne() && !keyHeads.isOne();
}

LogicalResult checkOperand(EmitError emitError, StringRef op, StringRef name, ir::TensorType type) {
  if (type.getRank() < 2 || type.getRank() > 4)
    return rankError(emitError, op, name, type, "two to four axes");
  if (!isa<FloatType>(type.getElementType()))
    return emitError() << op << ": " << name << " has elements " << type.getElementType()
                       << ", needed floating point";
  return success();
}

LogicalResult checkGroups(EmitError emitError, StringRef op, ir::TensorType query, ir::TensorType key,
                          ir::TensorType value) {
  ExtentAttr heads = query.getExtent(1), keyHeads = key.getExtent(1);
  if (heads.isStatic() && keyHeads.isStatic() &&
      (keyHeads.getValue() == 0 || heads.getValue() % keyHeads.getValue() != 0))
    return emitError() << op << ": query has " << heads.str() << " heads, key has " << keyHeads.str()
                       << ", needed a number that divides the query's";
  if (value && (value.getRank() != 4 || value.getExtent(1) != keyHeads))
    return emitError() << op << ": key is " << key.shapeStr() << ", value is " << value.shapeStr()
                       << ", needed as many heads of values as of keys";
  return success();
}

} // namespace

LogicalResult heed::ir::verifySink(EmitError emitError, StringRef op, ir::TensorType sink,
                                   ir::TensorType scores) {
  if (scores.getRank() != 4 || sink.getRank() != 1 || sink.getExtent(0) != scores.getExtent(1))
    return emitError() << op << ": sink is " << sink.shapeStr() << ", scores are " << scores.shapeStr()
                       << ", needed a sink (heads) for scores (batch, heads, queries, keys)";
  return requireMixing(emitError, op, {scores, sink});
}

InferredType heed::ir::inferSoftmax(EmitError emitError, ir::TensorType input, ir::TensorType sink) {
  if (failed(requireScores(emitError, "softmax", input, sink)))
    return failure();
  return input;
}

InferredType heed::ir::inferLogSumExp(EmitError emitError, ir::TensorType input, ir::TensorType sink) {
  if (failed(requireScores(emitError, "log_sum_exp", input, sink)))
    return failure();
  return ir::TensorType::get(input.getShape().drop_back(), input.getScalarType());
}

ExtentAttr heed::ir::headsPerKey(ir::TensorType query, ir::TensorType key, ir::TensorType value) {
  auto hasOneHead = [](ir::TensorType type) { return type.getRank() == 4 && type.getExtent(1).isOne(); };
  // One head of keys and values is a group of all query heads.
  bool sharesOne = query.getRank() == 4 && hasOneHead(key) && (!value || hasOneHead(value));
  if (!sharesOne && !isGrouped(query, key))
    return ExtentAttr::get(query.getContext(), 1);
  return query.getExtent(1).divide(key.getExtent(1));
}

FailureOr<ScoreShape> heed::ir::inferScoreShape(EmitError emitError, StringRef op, ir::TensorType query,
                                                ir::TensorType key, ir::TensorType value) {
  SmallVector<std::pair<StringRef, ir::TensorType>, 3> operands = {{"query", query}, {"key", key}};
  if (value)
    operands.push_back({"value", value});
  for (auto [name, type] : operands)
    if (failed(checkOperand(emitError, op, name, type)))
      return failure();
  if (query.getExtent(-1) != key.getExtent(-1))
    return emitError() << op << ": query is " << query.shapeStr() << ", key is " << key.shapeStr()
                       << ", needed one innermost extent";
  if (value && key.getExtent(-2) != value.getExtent(-2))
    return emitError() << op << ": key is " << key.shapeStr() << ", value is " << value.shapeStr()
                       << ", needed as many values as keys";
  if (failed(requireMixing(emitError, op, llvm::to_vector(llvm::make_second_range(operands)))))
    return failure();

  bool grouped = isGrouped(query, key);
  if (grouped && failed(checkGroups(emitError, op, query, key, value)))
    return failure();
  ExtentAttr heads = grouped ? query.getExtent(1) : ExtentAttr();
  SmallVector<SmallVector<ExtentAttr>, 3> leading;
  for (auto [name, type] : operands)
    leading.push_back(leadingAxes(type, heads, grouped));
  auto shape = broadcast(emitError, op, llvm::to_vector_of<ArrayRef<ExtentAttr>>(leading));
  if (failed(shape))
    return failure();
  ScoreShape scores(shape->begin(), shape->end());
  scores.push_back(query.getExtent(-2));
  scores.push_back(key.getExtent(-2));
  return scores;
}
