//===- Backend.cpp - The CPU back end -------------------------------------===//

#include "Backend.h"

#include "Emit/OperationNames.h"
#include "Emitter.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;

namespace heed {
namespace {

Schedule defaultFor(ir::AttentionOp op, const kernels::CpuTarget &target) {
  auto size = [](Value value, int64_t axis) { return staticValue(ir::tensorType(value).getExtent(axis)); };
  return defaultSchedule(AttentionSizes{size(op.getQuery(), -2), size(op.getKey(), -2),
                                        size(op.getQuery(), -1),
                                        op.getValue() ? size(op.getValue(), -1) : std::nullopt},
                         target.lanes);
}

Schedule defaultFor(ir::LinearOp op, const kernels::CpuTarget &target) {
  ir::TensorType input = ir::tensorType(op.getInput()), weight = ir::tensorType(op.getWeight());
  bool inPairs = target.dotsBf16 && input.getElementType().isBF16() && weight.getElementType().isBF16();
  auto rows = ir::ExtentAttr::get(op.getContext(), 1);
  for (ir::ExtentAttr axis : input.getShape().drop_back())
    rows = rows.multiply(axis);
  return defaultSchedule(LinearSizes{staticValue(rows), staticValue(input.getExtent(-1)),
                                     staticValue(weight.getExtent(0)),
                                     weight.getElementType().getIntOrFloatBitWidth() < 32 && !inPairs},
                         target.lanes);
}

std::optional<Schedule> defaultFor(Operation *op, const kernels::CpuTarget &target) {
  const int lanes = target.lanes;
  return llvm::TypeSwitch<Operation *, std::optional<Schedule>>(op)
      .Case<ir::AttentionOp, ir::LinearOp>([&](auto op) { return defaultFor(op, target); })
      .Case<ir::ScoresOp>([&](auto) { return defaultScoresSchedule(lanes); })
      .Case<ir::MatmulOp>([&](auto) { return defaultMatmulSchedule(lanes); })
      .Case<ir::SoftmaxOp, ir::LogSumExpOp, ir::SumOp, ir::AmaxOp, ir::ArgmaxOp, ir::LayerNormOp,
            ir::RmsNormOp>([&](auto op) {
        return defaultRowsSchedule(staticValue(ir::tensorType(op.getInput()).getExtent(-1)));
      })
      .Case<ir::MapOp>([&](auto) { return defaultMapSchedule(lanes); })
      .Default([](auto) { return std::nullopt; });
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

HalideBackend::HalideBackend(heed_cpu_level level)
    : target(std::make_shared<const kernels::CpuTarget>(kernels::cpuTarget(level))) {}

heed_cpu_level HalideBackend::level() const { return target->level; }

int HalideBackend::lanes() const { return target->lanes; }

void HalideBackend::addOperations(ir::KernelOp kernel, ScheduledOperations &operations) const {
  for (const NamedOperation &named : namedOperations(kernel))
    if (std::optional<Schedule> schedule = defaultFor(named.op, *target))
      operations[named.name] = {*schedule, symbolsOf(named.op)};
}

FailureOr<program::Program> HalideBackend::emit(ir::KernelOp kernel, const ScheduleChoices &schedules,
                                                TileFunctions &functions) const {
  Placement placement(kernel);
  ProgramBuilder builder(kernel, placement);
  Emitter emitter(builder, schedules, functions, *target);
  for (const NamedOperation &named : namedOperations(kernel))
    if (failed(emitter.emit(named.op, named.name)))
      return failure();
  program::Program program = builder.take();
  program.level = target->level;
  return program;
}

} // namespace heed
