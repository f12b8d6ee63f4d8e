//===- Backend.cpp - The back end -----------------------------------------===//

#include "Backend.h"

#include "DefaultSchedules.h"
#include "Emit/OperationNames.h"
#include "Emitter.h"

#include <set>

using namespace mlir;

namespace heed {
namespace {

Halide::DeviceAPI interfaceOf(heed_device_api device) {
  switch (device) {
  case HEED_DEVICE_OPENCL:
    return Halide::DeviceAPI::OpenCL;
  case HEED_DEVICE_CUDA:
    return Halide::DeviceAPI::CUDA;
  case HEED_DEVICE_VULKAN:
    return Halide::DeviceAPI::Vulkan;
  case HEED_DEVICE_METAL:
    return Halide::DeviceAPI::Metal;
  case HEED_DEVICE_NONE:
    break;
  }
  llvm_unreachable("a device");
}

/// The symbolic extents of what an operation reads and writes.
std::vector<std::string> symbolsOf(Operation *op) {
  std::set<std::string> symbols;
  auto add = [&](Value value) {
    for (ir::ExtentAttr axis : ir::tensorType(value).getShape())
      for (StringAttr symbol : axis.getSymbols())
        symbols.insert(symbol.str());
  };
  llvm::for_each(op->getOperands(), add);
  llvm::for_each(op->getResults(), add);
  return {symbols.begin(), symbols.end()};
}

} // namespace

HalideTarget::HalideTarget(const Target &target) : target(target), cpu(kernels::cpuTarget(target.level)) {
  if (target.isDevice())
    device = kernels::deviceTarget(interfaceOf(target.device), cpu);
}

HalideBackend::HalideBackend(const Target &target) : halide(std::make_shared<const HalideTarget>(target)) {}

const Target &HalideBackend::target() const { return halide->target; }

ScheduleLimits HalideBackend::limits() const { return halide->limits(); }

void HalideBackend::addOperations(ir::KernelOp kernel, ScheduledOperations &operations) const {
  for (const NamedOperation &named : namedOperations(kernel))
    if (std::optional<Schedule> schedule = defaultSchedule(named.op, *halide))
      operations[named.name] = {*schedule, symbolsOf(named.op)};
}

FailureOr<program::Program> HalideBackend::emit(ir::KernelOp kernel, const ScheduleChoices &schedules,
                                                TileFunctions &functions) const {
  Placement placement(kernel);
  ProgramBuilder builder(kernel, placement);
  Emitter emitter(builder, schedules, functions, *halide);
  for (const NamedOperation &named : namedOperations(kernel))
    if (failed(emitter.emit(named.op, named.name)))
      return failure();
  program::Program program = builder.take();
  program.level = halide->target.level;
  program.device = halide->target.device;
  return program;
}

} // namespace heed
