//===- OperationNames.cpp - What fused operations are called --------------===//

#include "OperationNames.h"

#include "llvm/ADT/StringMap.h"

namespace heed {

std::vector<NamedOperation> namedOperations(ir::KernelOp kernel) {
  std::vector<NamedOperation> names;
  llvm::StringMap<int> counts;
  for (mlir::Operation &op : kernel.getBody().front().without_terminator()) {
    if (op.hasTrait<ir::ViewTrait>() || llvm::isa<ir::AppendOp>(op))
      continue;
    llvm::StringRef kind = op.getName().stripDialect();
    std::string name = (kernel.getSymName() + "." + kind).str();
    if (int count = ++counts[kind]; count > 1)
      name += "_" + std::to_string(count);
    names.push_back({&op, std::move(name)});
  }
  return names;
}

} // namespace heed
