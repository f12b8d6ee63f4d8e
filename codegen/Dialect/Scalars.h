//===- Scalars.h - Arithmetic inside regions --------------------*- C++ -*-===//
///
/// \file
/// Builds the arith and math operations behind a word of the DSL, for integers (i64), truth (i1) and floating
/// point alike. The importer (mask and score programs) and the fusions (tensor words that move into a region)
/// share it, so a word means the same in both.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_DIALECT_SCALARS_H
#define HEED_DIALECT_SCALARS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace heed::ir {

enum class Comparison { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual };

/// Operands of a binary function have one type; division and remainder round towards minus infinity.
class ScalarBuilder {
public:
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location location) : builder(builder), location(location) {}

  mlir::Value constant(double number, mlir::Type type);
  /// Number to number by value; number to truth by `≠ 0`; truth to number by 1 and 0.
  mlir::Value convert(mlir::Value value, mlir::Type type);

  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value subtract(mlir::Value left, mlir::Value right);
  mlir::Value multiply(mlir::Value left, mlir::Value right);
  mlir::Value divide(mlir::Value left, mlir::Value right);
  mlir::Value remainder(mlir::Value left, mlir::Value right);
  mlir::Value minimum(mlir::Value left, mlir::Value right);
  mlir::Value maximum(mlir::Value left, mlir::Value right);
  mlir::Value negate(mlir::Value value);
  mlir::Value absolute(mlir::Value value);
  mlir::Value logistic(mlir::Value value);
  mlir::Value compare(Comparison comparison, mlir::Value left, mlir::Value right);
  mlir::Value logicalAnd(mlir::Value left, mlir::Value right);
  mlir::Value logicalOr(mlir::Value left, mlir::Value right);
  mlir::Value logicalNot(mlir::Value value);
  mlir::Value select(mlir::Value condition, mlir::Value consequent, mlir::Value otherwise);

  /// An operation of arith or math whose result has the operands' type.
  template <typename OpTy, typename... Operands> mlir::Value create(Operands... operands) {
    return OpTy::create(builder, location, operands...);
  }

private:
  template <typename IntegerOp, typename FloatOp> mlir::Value either(mlir::Value left, mlir::Value right) {
    return isFloat(left) ? create<FloatOp>(left, right) : create<IntegerOp>(left, right);
  }
  static bool isFloat(mlir::Value value) { return llvm::isa<mlir::FloatType>(value.getType()); }

  mlir::OpBuilder &builder;
  mlir::Location location;
};

} // namespace heed::ir

#endif // HEED_DIALECT_SCALARS_H
