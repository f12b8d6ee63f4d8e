//===- Compile.cpp - From plain graphs to a library -----------------------===//

#include "Compile.h"

#include "Emit/EmitLibrary.h"
#include "Emit/Placement.h"
#include "Import/Import.h"
#include "Support/Diagnostics.h"
#include "Support/Dialects.h"
#include "Transforms/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

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

/// The kernels' schedules for one of the targets that are compiled.
static llvm::Expected<AssignedSchedules> schedule(ModuleOp kernels, const HalideBackend &backend,
                                                  const Targets &targets, const CompileOptions &options,
                                                  CompileReport &report, bool passesEmpty = false) {
  std::string target = backend.target().name();
  ScheduleSources sources{options.scheduleFile, options.sources, {}, passesEmpty};
  for (const Target &each : targets)
    sources.targets.push_back(each.name());
  auto files = findSchedules(sources, target);
  if (!files)
    return files.takeError();
  for (const ScheduleText &file : *files)
    report.scheduleFiles.insert(file.path);
  if (files->empty() && !options.scheduleFile.empty())
    report.notes.push_back(llvm::formatv("{0} holds for another target; {1} gets the default schedules",
                                         options.scheduleFile, target));
  if (files->empty() || options.spec.empty())
    return assignSchedules(kernels, kernels, backend, target, *files);
  llvm::Expected<Module> spec = fuseKernels(*kernels.getContext(), options.spec);
  return spec ? assignSchedules(kernels, **spec, backend, target, *files) : spec.takeError();
}

static llvm::Expected<EmittedLibrary> emit(ModuleOp kernels, const CompileOptions &options,
                                           CompileReport &report) {
  llvm::Expected<Targets> targets = targetsOf(kernels, options.target);
  if (!targets)
    return targets.takeError();
  return emitLibrary(kernels, options.target, options.name,
                     [&](const HalideBackend &backend) -> llvm::Expected<ScheduleChoices> {
                       auto schedules = schedule(kernels, backend, *targets, options, report);
                       if (!schedules)
                         return schedules.takeError();
                       return std::move(schedules->choices);
                     });
}

llvm::Error compileLibrary(Graphs kernels, const CompileOptions &options, CompileReport *report) {
  MLIRContext context;
  CompileReport unread;
  llvm::Expected<Module> fused = fuseKernels(context, kernels);
  if (!fused)
    return fused.takeError();
  llvm::Expected<EmittedLibrary> library = emit(**fused, options, report ? *report : unread);
  return library ? writeLibrary(*library, options.name, options.outputDirectory, options.threads)
                 : library.takeError();
}

llvm::Expected<AssignedSchedules> scheduleKernels(Graphs kernels, const CompileOptions &options,
                                                  std::optional<Target> target) {
  MLIRContext context;
  CompileReport unread;
  llvm::Expected<Module> fused = fuseKernels(context, kernels);
  if (!fused)
    return fused.takeError();
  llvm::Expected<Targets> targets = targetsOf(**fused, options.target);
  if (!targets)
    return targets.takeError();
  if (!target && targets->size() > 1)
    return llvm::createStringError(
        llvm::formatv("target: found '{0}', one CPU level or device is needed, since schedules hold for one; "
                      "write for example {1}",
                      options.target, targets->front().name()));
  return schedule(**fused, HalideBackend(target.value_or(targets->front())), *targets, options, unread,
                  /*passesEmpty=*/true);
}

llvm::Expected<std::string> printSchedules(Graphs kernels, const CompileOptions &options) {
  llvm::Expected<AssignedSchedules> schedules = scheduleKernels(kernels, options);
  if (!schedules)
    return schedules.takeError();
  return printScheduleFile(schedules->file);
}

static llvm::Expected<std::string> functionsText(const EmittedLibrary &library, CodeForm form,
                                                 unsigned threads) {
  std::string text;
  for (const TileFunctions &ofTarget : library.functions) {
    llvm::Expected<std::string> functions = ofTarget.print(form, threads);
    if (!functions)
      return functions;
    text += *functions;
  }
  return text;
}

llvm::Expected<std::vector<TileFunctions::Compiled>>
compileFunctions(const spec::graph &kernel, CodeForm form, const CompileOptions &options) {
  MLIRContext context;
  CompileReport unread;
  llvm::Expected<Module> module = fuseKernels(context, &kernel);
  if (!module)
    return module.takeError();
  llvm::Expected<EmittedLibrary> library = emit(**module, options, unread);
  if (!library)
    return library.takeError();
  std::vector<TileFunctions::Compiled> all;
  for (const TileFunctions &ofTarget : library->functions) {
    auto functions = ofTarget.compile(form, options.threads);
    if (!functions)
      return functions.takeError();
    llvm::append_range(all, std::move(*functions));
  }
  return all;
}

llvm::Expected<std::string> printStage(const spec::graph &kernel, Stage stage,
                                       const CompileOptions &options) {
  if (stage == Stage::Schedule)
    return printSchedules(&kernel, options);
  MLIRContext context;
  llvm::Expected<Module> module =
      stage == Stage::Heed ? importKernels(context, &kernel) : fuseKernels(context, &kernel);
  if (!module)
    return module.takeError();
  if (stage <= Stage::Fused)
    return printed(**module);
  CompileReport unread;
  llvm::Expected<EmittedLibrary> library = emit(**module, options, unread);
  if (!library)
    return library.takeError();
  if (stage == Stage::Driver)
    return driverText(*library);
  return functionsText(*library, stage == Stage::Asm ? CodeForm::Assembly : CodeForm::Statement,
                       options.threads);
}

} // namespace heed
