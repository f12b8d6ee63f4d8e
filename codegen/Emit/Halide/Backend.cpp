//===- Backend.cpp - The CPU back end -------------------------------------===//

#include "Backend.h"

#include "Emit/OperationNames.h"
#include "Emitter.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace heed {
namespace {

Schedule defaultFor(ir::AttentionOp op, int lanes) {
  auto size = [](Value value, int64_t axis) { return staticValue(ir::tensorType(value).getExtent(axis)); };
  return defaultSchedule(AttentionSizes{size(op.getQuery(), -2), size(op.getKey(), -2),
                                        size(op.getQuery(), -1),
                                        op.getValue() ? size(op.getValue(), -1) : std::nullopt},
                         lanes);
}

Schedule defaultFor(ir::LinearOp op, int lanes) {
  ir::TensorType input = ir::tensorType(op.getInput());
  auto rows = ir::ExtentAttr::get(op.getContext(), 1);
  for (ir::ExtentAttr axis : input.getShape().drop_back())
    rows = rows.multiply(axis);
  return defaultSchedule(LinearSizes{staticValue(rows), staticValue(input.getExtent(-1)),
                                     staticValue(ir::tensorType(op.getWeight()).getExtent(0))},
                         lanes);
}

} // namespace

llvm::Expected<HalideBackend> HalideBackend::create(StringRef name) {
  std::optional<kernels::CpuTarget> found = kernels::findTarget(name.str());
  if (!found)
    return llvm::createStringError(llvm::formatv(
        "target: found '{0}', 'host' or a CPU is needed; write for example x86-64-linux-avx2-fma", name));
  HalideBackend backend;
  backend.target = std::make_shared<const kernels::CpuTarget>(*found);
  return backend;
}

int HalideBackend::lanes() const { return target->lanes; }

void HalideBackend::addDefaultSchedules(ir::KernelOp kernel, ScheduleTable &schedules) const {
  int lanes = target->lanes;
  for (const NamedOperation &named : namedOperations(kernel))
    llvm::TypeSwitch<Operation *>(named.op)
        .Case<ir::AttentionOp, ir::LinearOp>([&](auto op) { schedules[named.name] = defaultFor(op, lanes); })
        .Case<ir::ScoresOp>([&](auto) { schedules[named.name] = defaultScoresSchedule(lanes); })
        .Case<ir::MatmulOp>([&](auto) { schedules[named.name] = defaultMatmulSchedule(lanes); })
        .Case<ir::SoftmaxOp, ir::LogSumExpOp, ir::SumOp, ir::AmaxOp, ir::ArgmaxOp, ir::LayerNormOp,
              ir::RmsNormOp>([&](auto op) {
          schedules[named.name] =
              defaultRowsSchedule(staticValue(ir::tensorType(op.getInput()).getExtent(-1)));
        })
        .Case<ir::MapOp>([&](auto) { schedules[named.name] = defaultMapSchedule(lanes); });
}

FailureOr<program::Program> HalideBackend::emit(ir::KernelOp kernel, const ScheduleTable &schedules,
                                                TileFunctions &functions) const {
  Placement placement(kernel);
  ProgramBuilder builder(kernel, placement);
  Emitter emitter(builder, schedules, functions, *target);
  for (const NamedOperation &named : namedOperations(kernel))
    if (failed(emitter.emit(named.op, named.name)))
      return failure();
  return builder.take();
}

} // namespace heed
