//===- heed-opt.cpp - Passes on text, for tests and for reading ------------===//

#include "Dialect/Heed.h"
#include "Transforms/Pipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<heed::ir::HeedDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  heed::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "passes of heed\n", registry));
}
