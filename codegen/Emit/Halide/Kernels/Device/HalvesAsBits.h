//===- HalvesAsBits.h - 16-bit floats on devices ----------------*- C++ -*-===//
//
// Not every device has f16, none has bf16 for sure. LowerHalfCasts makes integer arithmetic of their casts;
// this makes unsigned integers of all that is left: loads, stores, memory and what moves their bits.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_HALVESASBITS_H
#define HEED_CODEGEN_KERNELS_DEVICE_HALVESASBITS_H

#include <Halide.h>

namespace heed::kernels {

/// Runs after LowerHalfCasts. Throws where something computes with halves.
class HalvesAsBits : public Halide::Internal::IRMutator {
public:
  using IRMutator::mutate;
  Halide::Expr mutate(const Halide::Expr &expr) override;

private:
  using IRMutator::visit;
  Halide::Expr visit(const Halide::Internal::FloatImm *op) override;
  Halide::Expr visit(const Halide::Internal::Reinterpret *op) override;
  Halide::Expr visit(const Halide::Internal::Variable *op) override;
  Halide::Expr visit(const Halide::Internal::Load *op) override;
  Halide::Expr visit(const Halide::Internal::Call *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate *op) override;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_HALVESASBITS_H
