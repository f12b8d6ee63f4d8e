//===- HalfCasts.h - Conversions of f16 and bf16 ----------------*- C++ -*-===//
//
// Kernels read and store 16-bit floats by plain casts and compute in f32 or f64. Halide has code for the
// casts of f16 where the CPU does; all others it emulates, warns of, and rounds some of wrongly. This pass
// runs after Halide's own, so that the casts in loads, stores and what was inlined are one form, and replaces
// what the CPU cannot do by integer arithmetic on the bits:
//
//   to f32       exact, subnormals and infinities too
//   from f32     round to nearest even, overflow to infinity, NaN stays NaN
//   from f64     rounded once: through an f32 that was rounded to odd
//   from i32/i64 rounded once, through f64
//
// Halide moves casts out of sums, products and maxima of f16; those are done in f32 again. Other arithmetic
// of halves is for nobody to write. Nothing depends on the CPU's modes of denormals. NaNs become quiet when
// they are made narrower.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_HALFCASTS_H
#define HEED_CODEGEN_KERNELS_HALFCASTS_H

#include <Halide.h>

namespace heed::kernels {

/// f16 or bf16, of any number of lanes.
bool isHalf(const Halide::Type &type);

class LowerHalfCasts : public Halide::Internal::IRMutator {
public:
  /// `convertsF16`: the CPU converts between f16 and f32. `dotsBf16`: it adds products of pairs of bf16, so
  /// casts in sums of such products are left for Halide to find.
  LowerHalfCasts(bool convertsF16, bool dotsBf16) : convertsF16(convertsF16), dotsBf16(dotsBf16) {}

  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Expr visit(const Halide::Internal::Cast *op) override;
  Halide::Expr visit(const Halide::Internal::VectorReduce *op) override;
  Halide::Expr visit(const Halide::Internal::Call *op) override;
  Halide::Expr visit(const Halide::Internal::Min *op) override;
  Halide::Expr visit(const Halide::Internal::Max *op) override;

  Halide::Expr widened(const Halide::Expr &half) const;                             ///< to f32
  Halide::Expr narrowed(const Halide::Type &half, const Halide::Expr &value) const; ///< from f32

  const bool convertsF16, dotsBf16;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_HALFCASTS_H
