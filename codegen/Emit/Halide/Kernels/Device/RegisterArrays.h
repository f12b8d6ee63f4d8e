//===- RegisterArrays.h - Arrays that threads keep in registers -*- C++ -*-===//
//
// A Func that is computed above the loops over threads and stored in MemoryType::Register becomes an array of
// all threads' elements, of which Halide gives every thread a whole one. This pass proves that each thread
// reads and writes its own elements alone, leaves it those, and puts the array inside the loops over threads.
// It stays alive from one loop over threads to the next, so that sums over chunks that are staged in shared
// memory never leave the registers.
//
// What such an array holds can also be read where Halide would find a cycle, or wants a number that is known
// outside the kernel: a running sum by what it is computed from, or how many chunks a block has. `ownElement`
// and `ownScalar` stand for such a reading until the pass puts it there.
//
// Halide has a barrier between any two loops over threads. Those with no memory to order are dropped.
//
// The pass runs after Halide's own, before the kernels are split off, so nothing may be left to do for it.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_REGISTERARRAYS_H
#define HEED_CODEGEN_KERNELS_DEVICE_REGISTERARRAYS_H

#include "DeviceFunction.h"

namespace heed::kernels {

/// The name of the array of one value of a Func; `values` is how many the Func has.
std::string arrayOf(const std::string &func, int value, int values);

/// The thread's element `others`, the place among all but the Func's first two dimensions, of an array. It is
/// read anew for each `step`, the loop variables in which the array changes.
Halide::Expr ownElement(const Halide::Type &type, const std::string &array, const Halide::Expr &others,
                        const std::vector<Halide::Expr> &step);

/// The thread's first element of an int32 array, as what bounds a loop within the blocks. All threads of a
/// block must have the same.
Halide::Expr ownScalar(const std::string &array);

class RegisterArrays : public Halide::Internal::IRMutator {
public:
  explicit RegisterArrays(std::vector<RegisterArray> arrays) : arrays(std::move(arrays)) {}

  using IRMutator::mutate;
  using IRMutator::visit;

private:
  Halide::Internal::Stmt visit(const Halide::Internal::For *op) override;
  Halide::Internal::Stmt visit(const Halide::Internal::LetStmt *op) override;

  std::vector<RegisterArray> arrays;
};

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_REGISTERARRAYS_H
