//===- Diagnostics.h - MLIR's diagnostics as errors -------------*- C++ -*-===//
///
/// \file
/// Inside the compiler a fault is reported on an operation and travels as a failed LogicalResult; its callers
/// get an llvm::Error whose text starts with the file and line of the spec.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_SUPPORT_DIAGNOSTICS_H
#define HEED_CODEGEN_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

#include <string>

namespace heed {

/// An operation as text.
std::string printed(mlir::Operation *op);

/// Collects the errors reported during its life; other diagnostics go on to the next handler.
class DiagnosticsAsError {
public:
  explicit DiagnosticsAsError(mlir::MLIRContext *context);

  /// Success, or everything collected so far.
  llvm::Error check(mlir::LogicalResult result);

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace heed

#endif // HEED_CODEGEN_SUPPORT_DIAGNOSTICS_H
