//===- Bf16Dots.h - Dot products of bf16 ----------------------*- C++ -*-===//
///
/// \file
/// Where code of x86-64-v4-bf16 differs from that of x86-64-v4: products whose factors are both bf16 are
/// added in pairs by one instruction.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_BF16DOTS_H
#define HEED_CODEGEN_EMIT_BF16DOTS_H

#include "Dialect/Heed.h"

namespace heed {

/// Whether an attention, scores or a linear has such products: of queries and keys, of inputs and weights, or
/// of softmax weights, which are rounded for that, and values of bf16. False for any other operation.
bool hasDotsOfBf16(mlir::Operation *op);

/// Whether some operation of the kernel has.
bool hasDotsOfBf16(ir::KernelOp kernel);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_BF16DOTS_H
