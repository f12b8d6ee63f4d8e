//===- MachineCode.cpp - From LLVM IR to machine code ---------------------===//

#include "MachineCode.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace heed {
namespace {

void initializeTargets() {
  static const bool once = [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    return true;
  }();
  (void)once;
}

void takeFeatures(Module &module, ArrayRef<StringRef> features) {
  for (Function &function : module) {
    if (!function.hasFnAttribute("target-features"))
      continue;
    std::string kept = function.getFnAttribute("target-features").getValueAsString().str();
    for (StringRef feature : features)
      kept += ",-" + feature.str();
    function.addFnAttr("target-features", kept);
  }
}

Expected<std::unique_ptr<TargetMachine>> machineFor(const Module &module, bool fusesProducts) {
  std::string fault;
  const Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), fault);
  if (!target)
    return createStringError(fault);
  TargetOptions options;
  options.AllowFPOpFusion = fusesProducts ? FPOpFusion::Fast : FPOpFusion::Strict;
  options.FunctionSections = true;
  options.MCOptions.AsmVerbose = true;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      module.getTargetTriple(), "", "", options, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Aggressive));
}

} // namespace

Expected<std::string> machineCode(const std::string &text, const MachineCodeOptions &options) {
  initializeTargets();
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIR(MemoryBufferRef(text, "module"), diagnostic, context);
  if (!module)
    return createStringError(diagnostic.getMessage());
  takeFeatures(*module, options.without);
  Expected<std::unique_ptr<TargetMachine>> machine = machineFor(*module, options.fusesProducts);
  if (!machine)
    return machine.takeError();
  SmallString<0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      options.isAssembly ? CodeGenFileType::AssemblyFile
                                                         : CodeGenFileType::ObjectFile))
    return createStringError("the target can't write this kind of file");
  passes.run(*module);
  return code.str().str();
}

} // namespace heed
