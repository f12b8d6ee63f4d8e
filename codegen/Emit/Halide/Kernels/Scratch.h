//===- Scratch.h - Heap memory of a tile function ---------------*- C++ -*-===//
//
// Halide takes heap memory from its runtime, which a tile function does not have. This pass runs after all of
// Halide's own: it turns every allocation that does not fit on the stack into heed_scratch_allocate, makes
// what follows a failed one do nothing, and moves releases to the end of the scope, so that they happen in
// reverse order.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_SCRATCH_H
#define HEED_CODEGEN_KERNELS_SCRATCH_H

#include <Halide.h>

namespace heed::kernels {

/// Allocations of constant size up to this many bytes stay on the stack.
inline constexpr int stackBytes = 16 * 1024;

class UseScratch : public Halide::Internal::IRMutator {
public:
  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Internal::Scope<> heap;

  Halide::Internal::Stmt visit(const Halide::Internal::Allocate *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::Free *op) override;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_SCRATCH_H
