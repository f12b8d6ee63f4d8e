// Imports a graph and keeps what was said about it.
#pragma once

#include "Import/Import.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"

#include <string>

struct Imported {
  bool succeeded = false;
  std::string text;   // the module
  std::string errors; // "spec.cpp:7: sentence\n"
};

inline Imported import(const heed::spec::graph &graph, bool printLocations = false) {
  mlir::MLIRContext context;
  context.loadDialect<heed::ir::HeedDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  Imported result;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    result.errors += heed::ir::locationStr(diagnostic.getLocation()) + ": " + diagnostic.str() + "\n";
    return mlir::success();
  });
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  result.succeeded = mlir::succeeded(heed::importKernel(*module, graph));
  llvm::raw_string_ostream os(result.text);
  mlir::OpPrintingFlags flags;
  if (printLocations)
    flags.enableDebugInfo(true);
  module->print(os, flags);
  return result;
}
