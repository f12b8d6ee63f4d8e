//===- Numerics.h - Scalar arithmetic that all kernels share ----*- C++ -*-===//
//
// Halide lets LLVM assume that there is no NaN and no infinity. A hidden score is -infinity here, and NaN in
// a visible score must reach the output, so every step that may see either is written with strict operations
// or on the bits. Everything is for f32 and f64, by the type of the operands.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_NUMERICS_H
#define HEED_CODEGEN_KERNELS_NUMERICS_H

#include <Halide.h>

namespace heed::kernels {

inline constexpr double log2e = 1.4426950408889634;
inline constexpr double ln2 = 0.6931471805599453;

/// What sums of this element type are kept in: f64 for f64, else f32.
Halide::Type accumulatorOf(const Halide::Type &element);

/// Vectors of the accumulator where a vector has `lanes` 32-bit elements.
int lanesOf(const Halide::Type &accumulator, int lanes);

/// The value as an immediate of the type.
Halide::Expr number(const Halide::Type &type, double value);

/// The lowest finite number: where a running maximum starts. A score can equal it, never be below.
Halide::Expr lowestScore(const Halide::Type &type);

/// The bits, as an integer of the same width.
Halide::Expr bitsOf(const Halide::Expr &x);

/// The bits of |x|, which ascend with it.
Halide::Expr magnitudeBits(const Halide::Expr &x);

/// a where the condition holds, else b, whatever they are.
Halide::Expr choose(const Halide::Expr &condition, const Halide::Expr &a, const Halide::Expr &b);

/// score where visible, else -infinity.
Halide::Expr hideUnless(const Halide::Expr &visible, const Halide::Expr &score);

/// Whether a score is -infinity.
Halide::Expr isHidden(const Halide::Expr &score);

/// Whether the largest of some magnitudes is infinite or NaN, given its bits.
Halide::Expr isNotFinite(const Halide::Expr &magnitudeBits, const Halide::Type &type);

/// The larger one; NaN or not if either is NaN.
Halide::Expr largerOf(const Halide::Expr &a, const Halide::Expr &b);

/// 2^x for x <= 0, and for positive x up to 100. With n the nearest integer, 2^x = 2^n · p(x - n).
///   f32: relative error below 1.8e-7 from -126, exactly 0 below; p is the degree-5 minimax polynomial of the
///        relative error of 2^f on [-1/2, 1/2] with p(0) = 1.
///   f64: relative error below 4e-16 from -1022, exactly 0 below; p is the degree-13 Taylor polynomial.
/// Exactly 1 at 0, exactly 0 at -infinity, NaN at NaN.
Halide::Expr exp2NonPositive(const Halide::Expr &x);

/// 2^x for x <= 0, f32, as a number whose upper 16 bits are 2^x rounded to bf16: the relative error before
/// that rounding is below 8e-5 from -125, exactly 0 below. The upper 16 bits are exactly 1 at 0, NaN at NaN.
Halide::Expr exp2ToUpperHalf(const Halide::Expr &x);

/// a - b without assumptions.
Halide::Expr strictDifference(const Halide::Expr &a, const Halide::Expr &b);

/// The natural logarithm of a number that is not negative, as the C library has it.
Halide::Expr logarithm(const Halide::Expr &x);

/// What a row that sees nothing gives: 0, or NaN if asked. Without any `keys` there is nothing to sum: 0.
Halide::Expr emptyRow(const Halide::Type &type, bool nanForEmpty, const Halide::Expr &keys);

/// a / b, or `empty` where b is 0; NaN where either is NaN.
Halide::Expr quotientOrEmpty(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &empty);

/// Numbers as integers in the same order, both zeros as one, every NaN as the largest; integers as they are.
Halide::Expr keyOf(const Halide::Expr &x);

/// The number of a key, in this type.
Halide::Expr numberOf(const Halide::Expr &key, const Halide::Type &type);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_NUMERICS_H
