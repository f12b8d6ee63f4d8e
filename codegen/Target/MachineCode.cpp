//===- MachineCode.cpp - From LLVM IR to machine code ---------------------===//

#include "MachineCode.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
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

#include <optional>

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

/// The only lane of a constant mask.
std::optional<unsigned> onlyLane(const Value *mask) {
  auto *lanes = dyn_cast<Constant>(mask);
  std::optional<unsigned> only;
  for (unsigned i = 0; lanes && i < cast<FixedVectorType>(mask->getType())->getNumElements(); ++i) {
    Constant *lane = lanes->getAggregateElement(i);
    if (lane && lane->isNullValue())
      continue;
    if (!lane || !lane->isOneValue() || only)
      return std::nullopt;
    only = i;
  }
  return only;
}

/// LLVM merges a truncation with the masked store behind it and, where the mask has one lane, stores the
/// element of before the truncation, which reaches beyond its place. So a store of one lane is written as
/// one.
void storeSingleLanes(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
      continue;
    std::optional<unsigned> lane = onlyLane(store->getArgOperand(store->arg_size() - 1));
    if (!lane)
      continue;
    IRBuilder<> builder(store);
    Value *element = builder.CreateExtractElement(store->getArgOperand(0), *lane);
    Value *place = builder.CreateConstGEP1_64(element->getType(), store->getArgOperand(1), *lane);
    builder.CreateAlignedStore(element, place, Align(1));
    store->eraseFromParent();
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
  for (Function &function : *module)
    storeSingleLanes(function);
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
