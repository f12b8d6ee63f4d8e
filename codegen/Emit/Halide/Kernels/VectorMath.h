//===- VectorMath.h - Functions of reals in vectors -------------*- C++ -*-===//
//
// A score program's functions run once per pair, an activation's once per element, so calls of the C library,
// one element at a time, would cost several times what the kernel itself does.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_VECTORMATH_H
#define HEED_CODEGEN_KERNELS_VECTORMATH_H

#include <Halide.h>

namespace heed::kernels {

/// tanh x, f32: relative error below 3.5e-7, within [-1, 1], NaN at NaN. The quotient of two polynomials in
/// x², the minimax approximation of the relative error of tanh x / x up to 9.02, where tanh rounds to 1.
Halide::Expr hyperbolicTangent(const Halide::Expr &x);

/// e^x, f32: relative error below 2.5e-7 where it is above 2^-125, exactly 0 below, infinity above the
/// largest float, 1 at 0, NaN at NaN.
Halide::Expr exponential(const Halide::Expr &x);

/// erf x. f32: relative error below 4e-7, within [-1, 1], NaN at NaN. The quotient of two polynomials in x²,
/// the minimax approximation of the relative error of erf x / x up to 3.95, beyond which erf rounds to 1.
/// f64: as the C library has it.
Halide::Expr errorFunction(const Halide::Expr &x);

/// The expression with its f32 calls of tanh and exp replaced by these, whatever is strict around them. A
/// quotient by a constant inside a tanh becomes a product with its reciprocal.
Halide::Expr useVectorMath(const Halide::Expr &e);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_VECTORMATH_H
