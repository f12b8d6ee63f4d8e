//===- Compile.cpp - From plain graphs to a library -----------------------===//

#include "Compile.h"

#include "Dialect/Heed.h"
#include "Emit/EmitLibrary.h"
#include "Emit/Placement.h"
#include "Emit/WriteDriver.h"
#include "Import/Import.h"
#include "Support/Diagnostics.h"
#include "Transforms/Pipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace heed {

using Module = OwningOpRef<ModuleOp>;
using Graphs = llvm::ArrayRef<const spec::graph *>;

void loadDialects(MLIRContext &context) {
  context.loadDialect<ir::HeedDialect, arith::ArithDialect, math::MathDialect>();
}

llvm::Expected<Module> importKernels(MLIRContext &context, Graphs kernels) {
  loadDialects(context);
  DiagnosticsAsError diagnostics(&context);
  Module module = ModuleOp::create(UnknownLoc::get(&context));
  for (const spec::graph *kernel : kernels)
    if (llvm::Error failure = diagnostics.check(importKernel(*module, *kernel)))
      return std::move(failure);
  return module;
}

llvm::Expected<Module> fuseKernels(MLIRContext &context, Graphs kernels) {
  llvm::Expected<Module> module = importKernels(context, kernels);
  if (!module)
    return module;
  DiagnosticsAsError diagnostics(&context);
  PassManager passes(&context);
  buildPipeline(passes);
  if (llvm::Error failure = diagnostics.check(passes.run(**module)))
    return std::move(failure);
  for (auto kernel : (*module)->getOps<ir::KernelOp>())
    insertCopies(kernel);
  return module;
}

static llvm::Expected<EmittedLibrary> emitFused(ModuleOp kernels, const HalideBackend &backend,
                                                const CompileOptions &options) {
  llvm::Expected<ScheduleTable> schedules = assignSchedules(kernels, backend, options.scheduleFile);
  return schedules ? emitKernels(kernels, backend, *schedules, options.name) : schedules.takeError();
}

llvm::Error compileFused(ModuleOp kernels, const CompileOptions &options) {
  llvm::Expected<HalideBackend> backend = HalideBackend::create(options.target);
  if (!backend)
    return backend.takeError();
  llvm::Expected<EmittedLibrary> library = emitFused(kernels, *backend, options);
  return library ? writeLibrary(*library, options.name, options.outputDirectory, options.threads)
                 : library.takeError();
}

llvm::Error compileLibrary(Graphs kernels, const CompileOptions &options) {
  MLIRContext context;
  llvm::Expected<Module> fused = fuseKernels(context, kernels);
  return fused ? compileFused(**fused, options) : fused.takeError();
}

llvm::Expected<std::string> printStage(const spec::graph &kernel, Stage stage,
                                       const CompileOptions &options) {
  MLIRContext context;
  llvm::Expected<Module> module =
      stage == Stage::Heed ? importKernels(context, &kernel) : fuseKernels(context, &kernel);
  if (!module)
    return module.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (stage <= Stage::Fused)
    return (*module)->print(os), text;

  llvm::Expected<HalideBackend> backend = HalideBackend::create(options.target);
  if (!backend)
    return backend.takeError();
  llvm::Expected<ScheduleTable> schedules = assignSchedules(**module, *backend, options.scheduleFile);
  if (!schedules)
    return schedules.takeError();
  if (stage == Stage::Schedule)
    return printSchedules(*schedules);
  llvm::Expected<EmittedLibrary> library = emitKernels(**module, *backend, *schedules, options.name);
  if (!library)
    return library.takeError();
  if (stage == Stage::Driver)
    return writeDriver(library->programs);
  return library->functions.print(stage == Stage::Stmt ? CodeForm::Statement : CodeForm::Assembly,
                                  options.threads);
}

} // namespace heed
