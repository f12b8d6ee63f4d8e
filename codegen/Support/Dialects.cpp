//===- Dialects.cpp - What a kernel's context holds -----------------------===//

#include "Support/Dialects.h"

#include "Dialect/Heed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace heed {

void loadDialects(mlir::MLIRContext &context) {
  context.loadDialect<ir::HeedDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  context.printOpOnDiagnostic(false); // users know their spec, not the dialect
}

} // namespace heed
