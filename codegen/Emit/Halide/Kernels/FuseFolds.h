//===- FuseFolds.h - Folds run where their operand is computed --*- C++ -*-===//
//
// Halide computes all of a Func before a reduction over it begins, so that a largest score or a sum of
// weights costs another pass over memory. This pass runs after Halide's own: it moves the loop of such a fold
// into the loop that stores what it reads, where the elements are still in registers. The order of the
// operations of one fold stays, and with it every bit of the result.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_FUSEFOLDS_H
#define HEED_CODEGEN_KERNELS_FUSEFOLDS_H

#include <Halide.h>

#include <string>

namespace heed::kernels {

/// Names of Funcs and of a loop, as lowered. The fold's update loops over what `steps` at a time are stored
/// by one iteration of the operand's loop.
struct FusedFold {
  std::string fold, operand, operandLoop;
  int steps = 1;
};

/// Moves one fold. Where the lowered code has another form than the fold was scheduled for, it stays as it
/// is.
class FuseFold : public Halide::Internal::IRMutator {
public:
  explicit FuseFold(FusedFold names) : names(std::move(names)) {}
  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate *op) override;

  FusedFold names;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_FUSEFOLDS_H
