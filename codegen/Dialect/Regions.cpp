//===- Regions.cpp - Checks of regions of scalars -------------------------===//

#include "Dialect/Regions.h"

#include "Dialect/Shapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

/// `(f32, i64, i64)`.
static std::string typesStr(TypeRange types) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(types, os);
  os << ")";
  return text;
}

LogicalResult heed::ir::verifyRegion(Operation *op, Region &region, TypeRange arguments, TypeRange results) {
  StringRef name = op->getName().stripDialect();
  Block &body = region.front();
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
    if (!isa<ElementOp, ExtentValueOp, PositionOp, UniformOp>(inner) &&
        !isa_and_present<arith::ArithDialect, math::MathDialect>(inner.getDialect()))
      return inner.emitError()
             << name << ": region holds " << inner.getName().getStringRef()
             << ", needed scalars: arith, math, heed.element, heed.extent_value, heed.uniform";
  return success();
}

LogicalResult heed::ir::verifyElements(Operation *op, Region &region, TypeRange first, ValueRange inputs,
                                       ValueRange captures) {
  ir::TensorType result = tensorType(op->getResult(0));
  SmallVector<Type> arguments(first);
  for (Value input : inputs) {
    if (!broadcastsTo(tensorType(input).getShape(), result.getShape()))
      return op->emitError() << op->getName().stripDialect() << ": operand is "
                             << tensorType(input).shapeStr() << ", result is " << result.shapeStr()
                             << ", needed an operand that broadcasts to the result";
    arguments.push_back(tensorType(input).getScalarType());
  }
  llvm::append_range(arguments, captures.getTypes());
  return verifyRegion(op, region, arguments, result.getScalarType());
}

SmallVector<Type> heed::ir::positionTypes(MLIRContext *context, TypeRange first, TypeRange captures) {
  SmallVector<Type> types(first);
  types.append(4, IntegerType::get(context, 64));
  llvm::append_range(types, captures);
  return types;
}

void heed::ir::nameArguments(Region &region, ArrayRef<StringRef> names, OpAsmSetValueNameFn setName) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    setName(argument, name);
}
