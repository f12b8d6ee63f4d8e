//===- Prefetch.h - Values come into the cache with their keys --*- C++ -*-===//
//
// Halide prefetches what a loop reads. A loop over scores reads keys, but the values of the same keys are
// needed right after it, in an order that hides less. This pass runs after Halide's own: next to each
// prefetch of a row of keys it puts that of the row of values, which must be as long.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_PREFETCH_H
#define HEED_CODEGEN_KERNELS_PREFETCH_H

#include <Halide.h>

#include <map>
#include <string>

namespace heed::kernels {

class PrefetchValues : public Halide::Internal::IRMutator {
public:
  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Internal::Stmt visit(const Halide::Internal::For *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt *op) override;

  std::map<std::string, Halide::Expr> lets; ///< around the statement
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_PREFETCH_H
