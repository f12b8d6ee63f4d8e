#include "Tune/TunedKernel.h"

#include "Compile.h"
#include "Support/ToolError.h"
#include "Tune/Operations.h"

#include <algorithm>

namespace heed::tools {

namespace {

mlir::OwningOpRef<mlir::ModuleOp> fused(mlir::MLIRContext &context,
                                        llvm::ArrayRef<const spec::graph *> kernels) {
  auto module = fuseKernels(context, kernels);
  if (!module)
    throw ToolError(llvm::toString(module.takeError()));
  return std::move(*module);
}

std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

} // namespace

TunedKernel tunedKernel(const std::vector<const spec::graph *> &spec, const spec::graph &kernel,
                        const std::vector<SymbolValues> &sizes, const Target &target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> all = fused(context, spec), module = fused(context, &kernel);
  HalideBackend backend(target);
  TunedKernel result{backend.limits(), scheduledOperations(*all, backend), textOf(*module), {}, {}};
  for (const SymbolValues &values : sizes) {
    tune::Sizes named;
    for (int i = 0; i < kernel.symbol_count; ++i)
      named[kernel.symbols[i]] = values[i];
    auto &problems = result.problems.emplace_back();
    auto &at = result.at.emplace_back();
    for (auto of : module->getOps<ir::KernelOp>())
      for (const tune::SymbolicOperation &operation : tune::symbolicOperations(of)) {
        problems.push_back({operation.name, result.operations.at(operation.name).defaults,
                            tune::problemOf(operation, named,
                                            !target.isDevice() && target.level == HEED_CPU_X86_64_V4_BF16)});
        at.emplace_back();
        for (const std::string &symbol : operation.symbols)
          at.back()[symbol] = named.at(symbol);
      }
  }
  return result;
}

} // namespace heed::tools
