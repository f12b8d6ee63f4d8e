//===- Dialects.h - What a kernel's context holds ---------------*- C++ -*-===//
#ifndef HEED_CODEGEN_SUPPORT_DIALECTS_H
#define HEED_CODEGEN_SUPPORT_DIALECTS_H

#include "mlir/IR/MLIRContext.h"

namespace heed {

/// Loads every dialect that a kernel can hold. Diagnostics of this context speak of the spec alone.
void loadDialects(mlir::MLIRContext &context);

} // namespace heed

#endif // HEED_CODEGEN_SUPPORT_DIALECTS_H
