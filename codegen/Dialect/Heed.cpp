//===- Heed.cpp - Registration of the dialect -----------------------------===//

#include "Dialect/Heed.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace heed;
using namespace heed::ir;

#include "Dialect/HeedDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/HeedAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/HeedTypes.cpp.inc"

void HeedDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/HeedAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "Dialect/HeedTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Dialect/HeedOps.cpp.inc"
      >();
}

Operation *HeedDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location location) {
  if (isa<ir::TensorType>(type))
    return ConstantOp::create(builder, location, type, cast<FloatAttr>(value));
  return arith::ConstantOp::materialize(builder, value, type, location);
}

std::string heed::ir::locationStr(Location location) {
  std::string text;
  location->walk([&](Location inner) {
    auto place = dyn_cast<FileLineColLoc>(inner);
    if (!place)
      return WalkResult::advance();
    text = (place.getFilename().strref() + ":" + Twine(place.getLine())).str();
    return WalkResult::interrupt();
  });
  return text;
}

/// The value of a heed.constant: a float, `infinity` or `minus_infinity`.
static ParseResult parseNumber(OpAsmParser &parser, FloatAttr &value) {
  bool negative = succeeded(parser.parseOptionalKeyword("minus_infinity"));
  double number = -INFINITY;
  if (!negative) {
    if (succeeded(parser.parseOptionalKeyword("infinity")))
      number = INFINITY;
    else if (parser.parseFloat(number))
      return failure();
  }
  value = parser.getBuilder().getF64FloatAttr(number);
  return success();
}

static void printNumber(OpAsmPrinter &printer, Operation *, FloatAttr value) {
  double number = value.getValueAsDouble();
  if (std::isinf(number))
    printer << (number < 0 ? "minus_infinity" : "infinity");
  else
    printer.printFloat(value.getValue());
}

#define GET_OP_CLASSES
#include "Dialect/HeedOps.cpp.inc"
