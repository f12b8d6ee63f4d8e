//===- Tensor.cpp - The tensor type ---------------------------------------===//

#include "Dialect/Shapes.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

LogicalResult ir::TensorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<ExtentAttr> shape, Type elementType) {
  if (int64_t(shape.size()) > maxRank)
    return emitError() << "tensor: " << shape.size() << " axes, needed at most " << maxRank;
  if (!elementType.isSignlessInteger(1) && !elementType.isSignlessInteger(32) &&
      !elementType.isSignlessInteger(64) &&
      !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(elementType))
    return emitError() << "tensor: elements of type " << elementType
                       << ", needed i1, i32, i64, f16, bf16, f32 or f64";
  return success();
}

Type ir::TensorType::getScalarType() const {
  Type type = getElementType();
  if (isa<Float16Type, BFloat16Type>(type))
    return Float32Type::get(getContext());
  if (type.isSignlessInteger(32))
    return IntegerType::get(getContext(), 64);
  return type;
}

std::string ir::TensorType::shapeStr() const { return heed::ir::shapeStr(getShape()); }

void ir::TensorType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleave(
      getShape(), [&](ExtentAttr extent) { extent.printText(printer.getStream()); },
      [&] { printer << ", "; });
  printer << "], " << getElementType() << ">";
}

Type ir::TensorType::parse(AsmParser &parser) {
  SmallVector<ExtentAttr> shape;
  Type elementType;
  auto parseExtent = [&]() -> ParseResult {
    shape.push_back(ExtentAttr::parseText(parser));
    return success(bool(shape.back()));
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseExtent) ||
      parser.parseComma() || parser.parseType(elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<ir::TensorType>(parser.getContext(), ArrayRef<ExtentAttr>(shape), elementType);
}
