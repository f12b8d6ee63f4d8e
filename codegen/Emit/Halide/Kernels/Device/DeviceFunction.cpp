#include "DeviceFunction.h"

#include "DeviceMath.h"
#include "HalfCasts.h"
#include "HalvesAsBits.h"
#include "HostCode.h"
#include "ModuleOutput.h"
#include "RegisterArrays.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

using namespace Halide;

namespace heed::kernels {

DeviceTarget deviceTarget(DeviceAPI api, const CpuTarget &host) {
  DeviceTarget result{.target = host.target, .api = api};
  switch (api) {
  case DeviceAPI::OpenCL:
    result.target = result.target.with_feature(Target::OpenCL).with_feature(Target::CLDoubles);
    result.sharedBytes = 32 * 1024;
    result.blockThreads = 256;
    return result;
  case DeviceAPI::CUDA:
    result.target = result.target.with_feature(Target::CUDA).with_feature(Target::CUDACapability80);
    result.sharedBytes = 99 * 1024;
    result.blockThreads = 1024;
    return result;
  case DeviceAPI::Vulkan:
    result.target = result.target.with_feature(Target::Vulkan)
                        .with_feature(Target::VulkanInt8)
                        .with_feature(Target::VulkanInt16)
                        .with_feature(Target::VulkanInt64)
                        .with_feature(Target::VulkanFloat64);
    result.sharedBytes = 32 * 1024;
    result.blockThreads = 256;
    return result;
  case DeviceAPI::Metal:
    result.target = result.target.with_feature(Target::Metal);
    result.sharedBytes = 32 * 1024;
    result.blockThreads = 512;
    result.widestBits = 32;
    return result;
  default:
    throw std::logic_error("device interface: no code can be made for it");
  }
}

DeviceOperand::DeviceOperand(const Type &type, int kernelRank, int gridRank, const std::string &name)
    : image(type, kernelRank + gridRank, name) {
  for (int axis = 0; axis < kernelRank + gridRank; ++axis)
    image.dim(axis).set_min(0);
  if (kernelRank + gridRank > 0)
    image.dim(0).set_stride(Expr());
}

Expr DeviceOperand::operator()(const std::vector<Expr> &kernel, const GridIndices &tile) const {
  std::vector<Expr> indices = kernel;
  indices.insert(indices.end(), tile.begin(), tile.end());
  return image(indices);
}

namespace {

/// The launch's scalars, the operands' offsets, then the inputs.
std::vector<Argument> argumentsOf(const DeviceFunction &function) {
  std::vector<Argument> list = function.arguments;
  const auto inputs = std::stable_partition(list.begin(), list.end(),
                                            [](const Argument &argument) { return argument.is_scalar(); });
  std::vector<Argument> offsets;
  for (const std::string &operand : function.operands)
    offsets.push_back(OperandOffsets::argument(operand));
  list.insert(inputs, offsets.begin(), offsets.end());
  return list;
}

/// Runs a pass over kernels alone: the host computes what they share, as hosts do.
class InKernels : public Internal::IRMutator {
public:
  explicit InKernels(std::unique_ptr<IRMutator> pass) : pass(std::move(pass)) {}
  using IRMutator::mutate;

private:
  using IRMutator::visit;
  Internal::Stmt visit(const Internal::For *op) override {
    return Internal::is_gpu(op->for_type) ? pass->mutate(Internal::Stmt(op)) : IRMutator::visit(op);
  }
  std::unique_ptr<IRMutator> pass;
};

void refuseWideNumbers(const DeviceFunction &function, const DeviceTarget &target) {
  const auto check = [&](const std::string &name, const Type &type) {
    if (type.bits() <= target.widestBits)
      return;
    std::ostringstream words;
    words << function.name << ": " << name << " holds " << type << ", numbers of at most "
          << target.widestBits
          << " bits are needed on this device interface; compile for another one or the CPU";
    throw std::invalid_argument(words.str());
  };
  for (const Argument &argument : function.arguments)
    check(argument.name, argument.type);
  for (const Func &output : function.pipeline.outputs())
    for (const Type &type : output.types())
      check(output.name(), type);
}

Module lower(const DeviceFunction &function, const DeviceTarget &target) {
  refuseWideNumbers(function, target);
  Target complete = target.target.with_feature(Target::NoRuntime)
                        .with_feature(Target::NoBoundsQuery)
                        .with_feature(Target::UserContext);
  if (function.strictFloat)
    complete = complete.with_feature(Target::StrictFloat);
  Pipeline pipeline = function.pipeline;
  pipeline.clear_custom_lowering_passes();
  pipeline.add_custom_lowering_pass(new RegisterArrays(function.registers));
  pipeline.add_custom_lowering_pass(new BareHostCode);
  pipeline.add_custom_lowering_pass(new LowerHalfCasts(/*convertsF16=*/false, /*dotsBf16=*/false));
  pipeline.add_custom_lowering_pass(new HalvesAsBits);
  pipeline.add_custom_lowering_pass(new InKernels(std::make_unique<LowerDeviceMath>(target.api)));
  pipeline.add_custom_lowering_pass(new OperandOffsets(function.operands));
  Module module = pipeline.compile_to_module(argumentsOf(function), function.name, complete,
                                             LinkageType::ExternalPlusArgv);
  for (Internal::LoweredFunc &lowered : module.functions())
    callHeedRuntime(lowered);
  if (target.api == DeviceAPI::CUDA)
    keepSubnormals(module);
  return module;
}

std::string sourceOf(const Module &module) {
  const Buffer<> code = module.get_device_code_buffer();
  if (!code.defined())
    throw std::logic_error(module.name() + ": found no kernel, one is needed; give the output gpu_blocks");
  return std::string(static_cast<const char *>(code.data()), code.size_in_bytes());
}

} // namespace

std::string compile(const DeviceFunction &function, const DeviceTarget &target, DeviceForm form) {
  const Module module = lower(function, target);
  switch (form) {
  case DeviceForm::Object:
    return compiled(module, OutputFileType::object);
  case DeviceForm::Statement:
    return compiled(module, OutputFileType::conceptual_stmt);
  case DeviceForm::Source:
    return (target.api == DeviceAPI::Vulkan ? "" : blocksText(module)) + sourceOf(module);
  }
  throw std::logic_error("form: unknown");
}

} // namespace heed::kernels
