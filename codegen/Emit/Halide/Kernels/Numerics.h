//===- Numerics.h - Scalar arithmetic that all kernels share ----*- C++ -*-===//
//
// Halide lets LLVM assume that there is no NaN and no infinity. A hidden score is -infinity here, and NaN in
// a visible score must reach the output, so every step that may see either is written with strict operations
// or on the bits.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_NUMERICS_H
#define HEED_CODEGEN_KERNELS_NUMERICS_H

#include <Halide.h>

namespace heed::kernels {

inline constexpr double log2e = 1.4426950408889634;

/// The lowest finite float: where a running maximum starts. A score can equal it, never be below.
Halide::Expr lowestScore();

/// score where visible, else -infinity.
Halide::Expr hideUnless(const Halide::Expr &visible, const Halide::Expr &score);

/// The larger one; NaN or not if either is NaN.
Halide::Expr largerOf(const Halide::Expr &a, const Halide::Expr &b);

/// 2^x for x <= 0, f32: relative error below 1.8e-7 from -126 to 0, exactly 1 at 0, exactly 0 below -126 and
/// at -infinity, NaN at NaN. With n the nearest integer, 2^x = 2^n · p(x - n); p is the degree-5 minimax
/// polynomial of the relative error of 2^f on [-1/2, 1/2] with p(0) = 1.
Halide::Expr exp2NonPositive(const Halide::Expr &x);

/// a - b without assumptions.
Halide::Expr strictDifference(const Halide::Expr &a, const Halide::Expr &b);

/// a / b, or 0 where b is 0; NaN where either is NaN.
Halide::Expr quotientOrZero(const Halide::Expr &a, const Halide::Expr &b);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_NUMERICS_H
