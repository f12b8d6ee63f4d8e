//===- PairDots.h - Dot products of pairs of bf16 ---------------*- C++ -*-===//
//
// Two neighbouring bf16 of a row are one 32-bit element: so they are turned, packed and broadcast, by the
// code for f32. One instruction, vdpbf16ps, multiplies the pairs of two vectors and adds both products to
// sums in f32; it takes subnormal factors and sums for 0. In Halide's way, with the pair as an innermost axis
// of each operand, packing would take two vectors and an interleaving for each of these.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_PAIRDOTS_H
#define HEED_CODEGEN_KERNELS_PAIRDOTS_H

#include <Halide.h>

namespace heed::kernels {

/// a.low · b.low + a.high · b.high in f32 of two pairs of bf16, each a u32: what a sum is increased by.
Halide::Expr pairDot(const Halide::Expr &a, const Halide::Expr &b);

/// The elements of a pair in f32.
Halide::Expr lowOf(const Halide::Expr &pair);
Halide::Expr highOf(const Halide::Expr &pair);

/// The pair of the upper halves of two f32: of both rounded towards zero, where they are finite.
Halide::Expr upperHalves(const Halide::Expr &low, const Halide::Expr &high);

/// Makes sums of products of bf16 of them, for which Halide takes the instruction where the target has it.
/// Comes before LowerHalfCasts.
class LowerPairDots : public Halide::Internal::IRMutator {
private:
  using Halide::Internal::IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::Call *op) override;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_PAIRDOTS_H
