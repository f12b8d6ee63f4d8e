//===- Functions.h - Functions of reals in regions --------------*- C++ -*-===//
//
// Halide's own are made for finite arguments: exp of a large number is 0, log of infinity is finite, sin of
// infinity and the minimum with NaN are anything. Scores are infinite where they are hidden and NaN where
// the inputs are, so these are right everywhere, as in the C library.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_HALIDE_FUNCTIONS_H
#define HEED_CODEGEN_EMIT_HALIDE_FUNCTIONS_H

#include <Halide.h>

namespace heed {

Halide::Expr exponential(const Halide::Expr &x);
Halide::Expr naturalLogarithm(const Halide::Expr &x);
Halide::Expr sine(const Halide::Expr &x);
Halide::Expr cosine(const Halide::Expr &x);

/// NaN if either is NaN.
Halide::Expr minimum(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr maximum(const Halide::Expr &a, const Halide::Expr &b);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_HALIDE_FUNCTIONS_H
