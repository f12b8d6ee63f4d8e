//===- DefaultSchedules.cpp - The default schedule of an operation --------===//

#include "DefaultSchedules.h"

#include "Emitter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heed {
namespace {

std::optional<int64_t> sizeOf(Value value, int64_t axis) {
  return staticValue(ir::tensorType(value).getExtent(axis));
}

bool isBf16(Value value) { return value && ir::tensorType(value).getElementType().isBF16(); }

AttentionSizes sizesOf(ir::AttentionOp op) {
  AttentionSizes sizes{sizeOf(op.getQuery(), -2), sizeOf(op.getKey(), -2), sizeOf(op.getQuery(), -1),
                       op.getValue() ? sizeOf(op.getValue(), -1) : std::nullopt};
  sizes.members = staticValue(op.getHeadsPerKey());
  return sizes;
}

LinearSizes sizesOf(ir::LinearOp op) {
  auto rows = ir::ExtentAttr::get(op.getContext(), 1);
  for (ir::ExtentAttr axis : ir::tensorType(op.getInput()).getShape().drop_back())
    rows = rows.multiply(axis);
  return {staticValue(rows), sizeOf(op.getInput(), -1), sizeOf(op.getWeight(), 0)};
}

std::optional<Schedule> ofCpu(Operation *op, const kernels::CpuTarget &target) {
  const int lanes = target.lanes;
  return llvm::TypeSwitch<Operation *, std::optional<Schedule>>(op)
      .Case<ir::AttentionOp>([&](auto op) {
        AttentionSizes sizes = sizesOf(op);
        sizes.inPairs = target.dotsBf16 && isBf16(op.getQuery()) && isBf16(op.getKey()) &&
                        isBf16(op.getValue()) && isBf16(op.getOutput());
        return defaultSchedule(sizes, lanes);
      })
      .Case<ir::LinearOp>([&](auto op) {
        LinearSizes sizes = sizesOf(op);
        sizes.inPairs = target.dotsBf16 && isBf16(op.getInput()) && isBf16(op.getWeight());
        sizes.widensWeights =
            ir::tensorType(op.getWeight()).getElementType().getIntOrFloatBitWidth() < 32 && !sizes.inPairs;
        return defaultSchedule(sizes, lanes);
      })
      .Case<ir::ScoresOp>([&](auto) { return defaultScoresSchedule(lanes); })
      .Case<ir::MatmulOp>([&](auto) { return defaultMatmulSchedule(lanes); })
      .Case<ir::SoftmaxOp, ir::LogSumExpOp, ir::SumOp, ir::AmaxOp, ir::ArgmaxOp, ir::LayerNormOp,
            ir::RmsNormOp>([&](auto op) { return defaultRowsSchedule(sizeOf(op.getInput(), -1)); })
      .Case<ir::MapOp>([&](auto) { return defaultMapSchedule(lanes); })
      .Default([](auto) { return std::nullopt; });
}

int accumulatorBytes(Operation *op) {
  bool isDouble = op->getNumOperands() > 0 && isa<ir::TensorType>(op->getOperand(0).getType()) &&
                  ir::tensorType(op->getOperand(0)).getElementType().isF64();
  return isDouble ? 8 : 4;
}

std::optional<Schedule> ofDevice(Operation *op) {
  const int bytes = accumulatorBytes(op);
  return llvm::TypeSwitch<Operation *, std::optional<Schedule>>(op)
      .Case<ir::AttentionOp, ir::LinearOp>([&](auto op) {
        auto sizes = sizesOf(op);
        sizes.accumulatorBytes = bytes;
        return defaultDeviceSchedule(sizes);
      })
      .Case<ir::ScoresOp>([&](auto) { return defaultDeviceScoresSchedule(bytes); })
      .Case<ir::MatmulOp>([&](auto) { return defaultDeviceMatmulSchedule(bytes); })
      .Case<ir::SoftmaxOp, ir::LogSumExpOp, ir::SumOp, ir::AmaxOp, ir::ArgmaxOp, ir::LayerNormOp,
            ir::RmsNormOp>([](auto op) { return defaultDeviceRowsSchedule(sizeOf(op.getInput(), -1)); })
      .Case<ir::MapOp>([](auto op) {
        int64_t rank = ir::tensorType(op.getResult()).getRank();
        return defaultDeviceMapSchedule(rank > 0 ? sizeOf(op.getResult(), -1) : 1, rank);
      })
      .Default([](auto) { return std::nullopt; });
}

} // namespace

std::optional<Schedule> defaultSchedule(Operation *op, const HalideTarget &target) {
  return target.device ? ofDevice(op) : ofCpu(op, target.cpu);
}

} // namespace heed
