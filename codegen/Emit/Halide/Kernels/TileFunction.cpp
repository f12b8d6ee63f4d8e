#include "TileFunction.h"

#include "HalfCasts.h"
#include "ModuleOutput.h"
#include "PairDots.h"
#include "Prefetch.h"
#include "Scratch.h"
#include "Target/CpuLevel.h"
#include "Target/MachineCode.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

using namespace Halide;

namespace heed::kernels {

// The runtime fills heed_buffer; Halide's code reads halide_buffer_t.
static_assert(sizeof(heed_dimension) == sizeof(halide_dimension_t));
static_assert(offsetof(heed_dimension, min) == offsetof(halide_dimension_t, min));
static_assert(offsetof(heed_dimension, extent) == offsetof(halide_dimension_t, extent));
static_assert(offsetof(heed_dimension, stride) == offsetof(halide_dimension_t, stride));
static_assert(offsetof(heed_dimension, flags) == offsetof(halide_dimension_t, flags));
static_assert(sizeof(heed_buffer) == sizeof(halide_buffer_t));
static_assert(offsetof(heed_buffer, device) == offsetof(halide_buffer_t, device));
static_assert(offsetof(heed_buffer, device_interface) == offsetof(halide_buffer_t, device_interface));
static_assert(offsetof(heed_buffer, host) == offsetof(halide_buffer_t, host));
static_assert(offsetof(heed_buffer, flags) == offsetof(halide_buffer_t, flags));
static_assert(offsetof(heed_buffer, type) == offsetof(halide_buffer_t, type));
static_assert(offsetof(heed_buffer, dimensions) == offsetof(halide_buffer_t, dimensions));
static_assert(offsetof(heed_buffer, dim) == offsetof(halide_buffer_t, dim));
static_assert(offsetof(heed_buffer, padding) == offsetof(halide_buffer_t, padding));
static_assert(sizeof(heed_buffer::type) == sizeof(halide_type_t));

namespace {

/// All that Halide takes for granted at a level, beside what dot products of bf16 take.
std::vector<Target::Feature> features(heed_cpu_level level) {
  switch (level) {
  case HEED_CPU_X86_64_V2:
    return {Target::SSE41};
  case HEED_CPU_X86_64_V3:
    return {Target::SSE41, Target::AVX, Target::AVX2, Target::FMA, Target::F16C};
  case HEED_CPU_X86_64_V4:
  case HEED_CPU_X86_64_V4_BF16:
    return {Target::SSE41, Target::AVX,    Target::AVX2,          Target::FMA,
            Target::F16C,  Target::AVX512, Target::AVX512_Skylake};
  case HEED_CPU_AARCH64:
    return {};
  case HEED_CPU_ANY:
    break;
  }
  throw std::logic_error("level: no code can be made for it");
}

/// What makes Halide use vdpbf16ps. Its Sapphire Rapids would let LLVM use FP16 and AMX, which Zen 4 lacks,
/// and its Zen 4 SSE4A, which Sapphire Rapids lacks: that is taken away by machineCode.
Target withDotsOfBf16(const Target &target) {
  return target.with_feature(Target::AVX512_Cannonlake).with_feature(Target::AVX512_Zen4);
}

bool readsBf16(const TileFunction &function) {
  return std::any_of(function.arguments.begin(), function.arguments.end(), [](const Argument &argument) {
    return argument.is_input() && argument.is_buffer() && argument.type == BFloat(16);
  });
}

OutputFileType outputType(Form form) {
  switch (form) {
  case Form::Object:
    return OutputFileType::object;
  case Form::Assembly:
    return OutputFileType::assembly;
  case Form::Stmt:
    return OutputFileType::stmt;
  }
  throw std::logic_error("form: unknown");
}

/// The function as code for every CPU that has vdpbf16ps.
std::string compileDots(const Module &module, Form form, bool strictFloat) {
  const llvm::StringRef without[] = {"sse4a"};
  llvm::Expected<std::string> code =
      machineCode(compiled(module, OutputFileType::bitcode), {without, !strictFloat, form == Form::Assembly});
  if (!code)
    throw std::logic_error(module.name() + ": " + llvm::toString(code.takeError()));
  return *code;
}

} // namespace

CpuTarget cpuTarget(heed_cpu_level level) {
  const bool isArm = level == HEED_CPU_AARCH64, is512 = level >= HEED_CPU_X86_64_V4 && !isArm;
  const Target target(Target::Linux, isArm ? Target::ARM : Target::X86, 64, features(level));
  return {level, target, target.natural_vector_size(Float(32)), isArm || is512 ? 32 : 16,
          level == HEED_CPU_X86_64_V4_BF16};
}

CpuTarget hostTarget() { return cpuTarget(hostLevel()); }

std::string compile(const TileFunction &function, const CpuTarget &target, Form form) {
  Target complete = target.target.with_feature(Target::NoRuntime)
                        .with_feature(Target::NoAsserts)
                        .with_feature(Target::NoBoundsQuery)
                        .with_feature(Target::UserContext)
                        .with_feature(Target::LargeBuffers);
  const bool dotsBf16 = target.dotsBf16 && readsBf16(function);
  if (dotsBf16)
    complete = withDotsOfBf16(complete);
  if (function.strictFloat)
    complete = complete.with_feature(Target::StrictFloat);
  Pipeline pipeline = function.pipeline;
  pipeline.clear_custom_lowering_passes();
  if (function.prefetchesValues)
    pipeline.add_custom_lowering_pass(new PrefetchValues);
  for (const RowPasses &rows : function.rowPasses)
    pipeline.add_custom_lowering_pass(new SpreadPrefetch(rows));
  for (const FusedFold &fold : function.folds)
    pipeline.add_custom_lowering_pass(new FuseFold(fold));
  for (const SharedMemory &shared : function.shared)
    pipeline.add_custom_lowering_pass(new ShareMemory(shared));
  pipeline.add_custom_lowering_pass(new LowerPairDots);
  pipeline.add_custom_lowering_pass(
      new LowerHalfCasts(target.target.has_feature(Target::F16C), target.dotsBf16));
  pipeline.add_custom_lowering_pass(new RevealScalars(function.scalars));
  pipeline.add_custom_lowering_pass(new UseScratch);
  std::vector<Argument> arguments = function.arguments;
  for (const Argument &scalar : function.scalars.arguments())
    arguments.push_back(scalar);
  Module module =
      pipeline.compile_to_module(arguments, function.name, complete, LinkageType::ExternalPlusArgv);
  for (Internal::LoweredFunc &lowered : module.functions())
    function.scalars.define(lowered);
  if (dotsBf16 && form != Form::Stmt)
    return compileDots(module, form, function.strictFloat);
  return compiled(module, outputType(form));
}

} // namespace heed::kernels
