//===- Operations.h - The operations of a kernel as problems ----*- C++ -*-===//
///
/// \file
/// From a fused kernel in the dialect to what a search tunes.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TUNE_OPERATIONS_H
#define HEED_CODEGEN_TUNE_OPERATIONS_H

#include "Dialect/Heed.h"
#include "Tune/Problem.h"

#include <functional>
#include <string>
#include <vector>

namespace heed::tune {

/// An operation before its sizes are known.
struct SymbolicOperation {
  std::string name;
  mlir::Operation *op = nullptr;
  std::vector<std::string> symbols; ///< that its best schedule depends on, sorted
};

/// Every operation of the kernel that does work. Batch and heads only say how often an attention is
/// computed, so they are not among its symbols unless there are no others.
std::vector<SymbolicOperation> symbolicOperations(ir::KernelOp kernel);

using Sizes = std::map<std::string, int64_t>;

/// All symbols must have sizes. `dotsBf16`: the level has an instruction for dot products of bf16.
Problem problemOf(const SymbolicOperation &operation, const Sizes &sizes, bool dotsBf16);

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_OPERATIONS_H
