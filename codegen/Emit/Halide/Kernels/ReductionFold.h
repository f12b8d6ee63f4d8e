//===- ReductionFold.h - What a reduction folds -----------------*- C++ -*-===//
//
// Sum, amax and argmax as folds, for every target. Elements are compared as integers in the order of the
// numbers, so that NaN is larger than everything.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_REDUCTIONFOLD_H
#define HEED_CODEGEN_KERNELS_REDUCTIONFOLD_H

#include "RowFold.h"
#include "Rows.h"

namespace heed::kernels {

/// The fold of a row whose elements have a type.
Fold reductionOf(Reduction kind, const Halide::Type &type,
                 const std::function<Halide::Expr(const Halide::Expr &index)> &element);

/// The result of the folded values.
Halide::Expr reductionResult(const ReductionKernel &kernel, const Halide::Type &type, const Values &values);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_REDUCTIONFOLD_H
