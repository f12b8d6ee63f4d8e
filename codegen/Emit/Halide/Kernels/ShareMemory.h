//===- ShareMemory.h - A Func computed in the memory of another -*- C++ -*-===//
//
// Halide gives every Func memory of its own. Where each element is computed from the element in the same
// place of another Func, which nobody reads afterwards, the second memory only pushes data out of the cache.
// This pass runs after Halide's own.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_SHAREMEMORY_H
#define HEED_CODEGEN_KERNELS_SHAREMEMORY_H

#include <Halide.h>

#include <string>

namespace heed::kernels {

/// Funcs of equal layout, by name. Only the computation of `later` and what comes before it reads `first`.
struct SharedMemory {
  std::string first, later;
};

class ShareMemory : public Halide::Internal::IRMutator {
public:
  explicit ShareMemory(SharedMemory names) : names(std::move(names)) {}
  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Internal::Stmt visit(const Halide::Internal::Allocate *op) override;

  SharedMemory names;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_SHAREMEMORY_H
