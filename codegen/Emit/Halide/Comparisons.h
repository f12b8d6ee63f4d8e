//===- Comparisons.h - Comparisons in regions -------------------*- C++ -*-===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_COMPARISONS_H
#define HEED_CODEGEN_EMIT_HALIDE_COMPARISONS_H

#include <Halide.h>

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace heed {

Halide::Expr compare(mlir::arith::CmpIPredicate predicate, const Halide::Expr &a, const Halide::Expr &b);

/// Whether a number is minus infinity is seen on its bits: Halide lets LLVM assume that none is infinite.
Halide::Expr compare(mlir::arith::CmpFOp op, const Halide::Expr &a, const Halide::Expr &b);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_COMPARISONS_H
