//===- OperationNames.h - What fused operations are called ------*- C++ -*-===//
///
/// \file
/// KERNEL.linear, KERNEL.linear_2, KERNEL.attention: the names in schedules, in the driver and of tile
/// functions.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_OPERATIONNAMES_H
#define HEED_CODEGEN_EMIT_OPERATIONNAMES_H

#include "Dialect/Heed.h"

#include <string>
#include <vector>

namespace heed {

struct NamedOperation {
  mlir::Operation *op;
  std::string name;
};

/// Every operation of the kernel that does work, in order.
std::vector<NamedOperation> namedOperations(ir::KernelOp kernel);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_OPERATIONNAMES_H
