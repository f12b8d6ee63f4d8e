//===- Compile.cpp - From plain graphs to a library -----------------------===//

#include "Compile.h"

#include "Emit/EmitLibrary.h"
#include "Emit/Placement.h"
#include "Emit/WriteDriver.h"
#include "Import/Import.h"
#include "Support/Diagnostics.h"
#include "Support/Dialects.h"
#include "Transforms/Pipeline.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace heed {

using Module = OwningOpRef<ModuleOp>;
using Graphs = llvm::ArrayRef<const spec::graph *>;

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

static llvm::Expected<ScheduleTable> schedule(ModuleOp kernels, const HalideBackend &backend,
                                              const CompileOptions &options) {
  if (options.scheduleFile.empty() || options.spec.empty())
    return assignSchedules(kernels, kernels, backend, options.scheduleFile);
  llvm::Expected<Module> spec = fuseKernels(*kernels.getContext(), options.spec);
  return spec ? assignSchedules(kernels, **spec, backend, options.scheduleFile) : spec.takeError();
}

static llvm::Expected<EmittedLibrary> emit(ModuleOp kernels, const CompileOptions &options) {
  llvm::Expected<HalideBackend> backend = HalideBackend::create(options.target);
  if (!backend)
    return backend.takeError();
  llvm::Expected<ScheduleTable> schedules = schedule(kernels, *backend, options);
  return schedules ? emitKernels(kernels, *backend, *schedules, options.name) : schedules.takeError();
}

llvm::Error compileLibrary(Graphs kernels, const CompileOptions &options) {
  MLIRContext context;
  llvm::Expected<Module> fused = fuseKernels(context, kernels);
  if (!fused)
    return fused.takeError();
  llvm::Expected<EmittedLibrary> library = emit(**fused, options);
  return library ? writeLibrary(*library, options.name, options.outputDirectory, options.threads)
                 : library.takeError();
}

llvm::Expected<std::string> printStage(const spec::graph &kernel, Stage stage,
                                       const CompileOptions &options) {
  MLIRContext context;
  llvm::Expected<Module> module =
      stage == Stage::Heed ? importKernels(context, &kernel) : fuseKernels(context, &kernel);
  if (!module)
    return module.takeError();
  if (stage <= Stage::Fused)
    return printed(**module);
  if (stage == Stage::Schedule) {
    llvm::Expected<HalideBackend> backend = HalideBackend::create(options.target);
    auto schedules = backend ? schedule(**module, *backend, options) : backend.takeError();
    if (!schedules)
      return schedules.takeError();
    return printSchedules(*schedules);
  }
  llvm::Expected<EmittedLibrary> library = emit(**module, options);
  if (!library)
    return library.takeError();
  if (stage == Stage::Driver)
    return writeDriver(library->programs);
  return library->functions.print(stage == Stage::Asm ? CodeForm::Assembly : CodeForm::Statement,
                                  options.threads);
}

} // namespace heed
