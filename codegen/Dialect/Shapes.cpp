//===- Shapes.cpp - Result types of operations ----------------------------===//

#include "Dialect/Shapes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

namespace {

ir::TensorType withShape(ir::TensorType like, ArrayRef<ExtentAttr> shape) {
  return ir::TensorType::get(shape, like.getElementType());
}

} // namespace

InFlightDiagnostic heed::ir::rankError(EmitError emitError, StringRef op, StringRef operand,
                                       ir::TensorType type, StringRef needed) {
  return emitError() << op << ": " << operand << " is " << type.shapeStr() << ", needed " << needed;
}

LogicalResult heed::ir::requireSameElements(EmitError emitError, StringRef op,
                                            ArrayRef<ir::TensorType> types) {
  for (ir::TensorType type : types)
    if (type.getElementType() != types.front().getElementType())
      return emitError() << op << ": elements are " << types.front().getElementType() << " and "
                         << type.getElementType()
                         << ", needed one element type; declare both with the same type";
  return success();
}

bool heed::ir::mix(Type element, Type other) {
  return isa<FloatType>(element) && isa<FloatType>(other) && element.isF64() == other.isF64();
}

LogicalResult heed::ir::requireMixing(EmitError emitError, StringRef op, ArrayRef<ir::TensorType> types) {
  Type first = types.front().getElementType();
  for (ir::TensorType type : types)
    if (Type element = type.getElementType(); element != first && !mix(element, first))
      return emitError() << op << ": elements are " << first << " and " << element
                         << ", needed one element type, or a mix of f16, bf16 and f32; convert one of them";
  return success();
}

LogicalResult heed::ir::verifyRoundedResult(Operation *op, InferredType inferred) {
  auto result = tensorType(op->getResult(0));
  if (succeeded(inferred) && inferred->getShape() == result.getShape() &&
      mix(inferred->getElementType(), result.getElementType()))
    return success();
  return verifyResult(op, inferred);
}

LogicalResult heed::ir::verifyResult(Operation *op, InferredType inferred) {
  if (failed(inferred))
    return failure();
  Type result = op->getResult(0).getType();
  if (*inferred == result)
    return success();
  return op->emitError() << op->getName().stripDialect() << ": result is " << result << ", needed "
                         << *inferred;
}

std::string heed::ir::shapeStr(ArrayRef<ExtentAttr> shape) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os, [&](ExtentAttr extent) { extent.printText(os); });
  os << ")";
  return text;
}

FailureOr<SmallVector<ExtentAttr>> heed::ir::broadcast(EmitError emitError, StringRef op,
                                                       ArrayRef<ArrayRef<ExtentAttr>> shapes) {
  SmallVector<ExtentAttr> result; // innermost first
  for (ArrayRef<ExtentAttr> shape : shapes)
    for (auto [i, extent] : llvm::enumerate(llvm::reverse(shape))) {
      if (i == result.size())
        result.push_back(extent);
      else if (result[i].isOne())
        result[i] = extent;
      else if (!extent.isOne() && extent != result[i]) {
        SmallVector<ExtentAttr> soFar(llvm::reverse(result));
        return emitError() << op << ": shapes are " << shapeStr(soFar) << " and " << shapeStr(shape)
                           << ", needed equal extents or 1 from the right, but " << result[i].str()
                           << " is not " << extent.str();
      }
    }
  return SmallVector<ExtentAttr>(llvm::reverse(result));
}

bool heed::ir::broadcastsTo(ArrayRef<ExtentAttr> from, ArrayRef<ExtentAttr> to) {
  return from.size() <= to.size() &&
         llvm::all_of(llvm::zip(llvm::reverse(from), llvm::reverse(to)), [](auto pair) {
           return std::get<0>(pair).isOne() || std::get<0>(pair) == std::get<1>(pair);
         });
}

InferredType heed::ir::inferLinear(EmitError emitError, ir::TensorType input, ir::TensorType weight,
                                   ir::TensorType bias) {
  if (input.getRank() < 1)
    return rankError(emitError, "linear", "input", input, "at least one axis");
  if (weight.getRank() != 2)
    return rankError(emitError, "linear", "weight", weight, "two axes, (out, in)");
  if (weight.getExtent(1) != input.getExtent(-1)) {
    InFlightDiagnostic error = emitError();
    error << "linear: input is " << input.shapeStr() << ", weight is " << weight.shapeStr()
          << ", needed a weight (out, " << input.getExtent(-1).str() << ")";
    if (weight.getExtent(0) == input.getExtent(-1))
      error << "; declare it as (" << weight.getExtent(1).str() << ", " << weight.getExtent(0).str() << ")";
    return error;
  }
  if (bias && (bias.getRank() != 1 || bias.getExtent(0) != weight.getExtent(0)))
    return emitError() << "linear: bias is " << bias.shapeStr() << ", weight is " << weight.shapeStr()
                       << ", needed a bias (" << weight.getExtent(0).str() << ")";
  SmallVector<ir::TensorType, 3> operands = {input, weight};
  if (bias)
    operands.push_back(bias);
  if (failed(requireMixing(emitError, "linear", operands)))
    return failure();
  SmallVector<ExtentAttr> shape(input.getShape());
  shape.back() = weight.getExtent(0);
  return withShape(input, shape);
}

InferredType heed::ir::inferMatmul(EmitError emitError, ir::TensorType left, ir::TensorType right) {
  if (left.getRank() < 2)
    return rankError(emitError, "matmul", "left", left, "at least two axes");
  if (right.getRank() < 2)
    return rankError(emitError, "matmul", "right", right, "at least two axes");
  if (left.getExtent(-1) != right.getExtent(-2)) {
    InFlightDiagnostic error = emitError();
    error << "matmul: left is " << left.shapeStr() << ", right is " << right.shapeStr()
          << ", needed a right (…, " << left.getExtent(-1).str() << ", n)";
    if (left.getExtent(-1) == right.getExtent(-1))
      error << "; did you mean transpose(right)?";
    return error;
  }
  if (failed(requireMixing(emitError, "matmul", {left, right})))
    return failure();
  auto shape = broadcast(emitError, "matmul", {left.getShape().drop_back(2), right.getShape().drop_back(2)});
  if (failed(shape))
    return failure();
  shape->push_back(left.getExtent(-2));
  shape->push_back(right.getExtent(-1));
  return withShape(left, *shape);
}

InferredType heed::ir::inferTranspose(EmitError emitError, ir::TensorType input) {
  if (input.getRank() < 2)
    return rankError(emitError, "transpose", "input", input, "at least two axes");
  SmallVector<ExtentAttr> shape(input.getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return withShape(input, shape);
}

InferredType heed::ir::inferSplitHeads(EmitError emitError, ir::TensorType input, ExtentAttr heads) {
  if (input.getRank() != 3)
    return rankError(emitError, "split_heads", "input", input, "three axes, (batch, length, heads*size)");
  ExtentAttr size = input.getExtent(2);
  if (heads.isStatic() && size.isStatic() &&
      (heads.getValue() == 0 || size.getValue() % heads.getValue() != 0))
    return emitError() << "split_heads: input is " << input.shapeStr() << " and heads are " << heads.str()
                       << ", needed an innermost extent that " << heads.str()
                       << " divides; choose another size";
  return withShape(input, {input.getExtent(0), heads, input.getExtent(1), size.divide(heads)});
}

InferredType heed::ir::inferMergeHeads(EmitError emitError, ir::TensorType input) {
  if (input.getRank() != 4)
    return rankError(emitError, "merge_heads", "input", input, "four axes, (batch, heads, length, size)");
  return withShape(input,
                   {input.getExtent(0), input.getExtent(2), input.getExtent(1).multiply(input.getExtent(3))});
}

InferredType heed::ir::inferPermute(EmitError emitError, ir::TensorType input,
                                    ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, input.getRank())))
    return emitError() << "permute: axes are " << llvm::interleaved_array(permutation)
                       << ", needed each of the " << input.getRank() << " axes of " << input.shapeStr()
                       << " once";
  SmallVector<ExtentAttr> shape;
  for (int64_t axis : permutation)
    shape.push_back(input.getExtent(axis));
  return withShape(input, shape);
}

InferredType heed::ir::inferAppendAxis(EmitError emitError, ir::TensorType input) {
  if (input.getRank() >= ir::TensorType::maxRank)
    return rankError(emitError, "append_axis", "input", input, "at most five axes");
  SmallVector<ExtentAttr> shape(input.getShape());
  shape.push_back(ExtentAttr::get(input.getContext(), 1));
  return withShape(input, shape);
}

InferredType heed::ir::inferElementwise(EmitError emitError, StringRef op, ElementRule rule,
                                        ArrayRef<ir::TensorType> operands) {
  ArrayRef<ir::TensorType> alike = operands; // operands that must have one element type
  if (rule == ElementRule::Choice)
    alike = operands.drop_front();
  if (rule != ElementRule::Logic && failed(requireSameElements(emitError, op, alike)))
    return failure();
  Type elementType = alike.front().getElementType();
  if (rule == ElementRule::Floating && !isa<FloatType>(elementType))
    return emitError() << op << ": elements are " << elementType << ", needed floating point";
  if (rule == ElementRule::Arithmetic && elementType.isSignlessInteger(1))
    return emitError() << op << ": elements are i1, needed numbers; use where(condition, 1, 0)";
  auto shapes = llvm::map_to_vector(operands, [](ir::TensorType type) { return type.getShape(); });
  auto shape = broadcast(emitError, op, shapes);
  if (failed(shape))
    return failure();
  bool isTruth = rule == ElementRule::Comparison || rule == ElementRule::Logic;
  return ir::TensorType::get(*shape, isTruth ? IntegerType::get(elementType.getContext(), 1) : elementType);
}
