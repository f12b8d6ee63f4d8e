//===- EmitDeviceAttention.cpp - Fused attention on devices ---------------===//
///
/// \file
/// Two families (Kernels/Device/Attention.h says how they compute): blocks of query rows, of which output and
/// statistics are launches of their own, and few rows against parts of the keys, which further launches
/// merge. Where only elements of tensors tell which keys a block of rows sees, a first launch lists them for
/// the former.
///
//===----------------------------------------------------------------------===//

#include "AttentionLaunches.h"
#include "Kernels/Device/Attention.h"
#include "KeyLists.h"

using namespace mlir;

namespace heed {
namespace {

using Launches = FailureOr<std::vector<program::Launch>>;

class DeviceAttentionEmitter : AttentionLaunches {
public:
  using AttentionLaunches::AttentionLaunches;

  /// With `listed` over lists of keys: the output, then the statistics, as far as they are asked for.
  Launches rows(const DeviceAttentionTile &tile, bool listed) {
    kernel.listed = listed;
    std::vector<program::Launch> launches;
    std::optional<KeyLists> lists;
    if (listed) {
      FailureOr<KeyLists> made = addLists(tile);
      if (failed(made))
        return failure();
      lists = std::move(*made);
      launches.push_back(lists->launch);
    }
    auto add = [&](StringRef part, bool isOutput, auto build) -> LogicalResult {
      FailureOr<std::string> function =
          deviceFunction(part, textOf(tile) + keyOf(listed), [&] { return build(kernel, tile, device()); });
      if (failed(function))
        return failure();
      ScoreLaunch launch(emitter, extents, std::move(*function), part, {});
      launch.addQueries(tile.queryBlock());
      launch.addScalars(program.readExtents());
      addInputs(launch, /*withValue=*/isOutput);
      if (op.getSink())
        launch.addSink(op.getSink());
      if (lists)
        lists->addOperands(launch);
      addResults(launch, isOutput);
      launches.push_back(launch.take(work()));
      return success();
    };
    if (op.getOutput() && failed(add("", true, kernels::buildDeviceAttention)))
      return failure();
    if (hasStatistics() && failed(add("statistics", false, kernels::buildDeviceStatistics)))
      return failure();
    return launches;
  }

  /// Few rows: parts of the keys, then their merge to the output, and to the statistics.
  Launches few(const DeviceAttentionSchedule &schedule) {
    setRowsToMembers();
    const std::string rows = keyOf(kernel.memberRows);
    FailureOr<std::string> function =
        deviceFunction("parts", rows + textOf(schedule.few) + keyOf(schedule.fewPartKeys), [&] {
          return kernels::buildDeviceAttentionParts(kernel, schedule.few, schedule.fewPartKeys, device());
        });
    if (failed(function))
      return failure();
    const Parts parts = addParts(schedule.fewRowLimit, schedule.fewPartKeys);
    std::vector<program::Launch> launches = {partsLaunch(std::move(*function), schedule, parts)};
    auto merge = [&](StringRef part, bool isOutput, auto build) -> LogicalResult {
      FailureOr<std::string> function = deviceFunction(part, rows, [&] { return build(kernel, device()); });
      if (failed(function))
        return failure();
      ScoreLaunch launch(emitter, extents, std::move(*function), part, along(schedule.few));
      addQueries(launch, schedule.few);
      addParts(launch, parts);
      if (op.getSink())
        launch.addSink(op.getSink());
      addResults(launch, isOutput);
      launches.push_back(launch.take(mergeWork()));
      return success();
    };
    if (op.getOutput() && failed(merge("merge", true, kernels::buildDeviceMerge)))
      return failure();
    if (hasStatistics() && failed(merge("merged statistics", false, kernels::buildDeviceMergedStatistics)))
      return failure();
    return launches;
  }

private:
  /// The temporary between parts and merges: (b, h, parts, rows[, lines], e).
  struct Parts {
    unsigned buffer, count; ///< count: extent
  };

  const kernels::DeviceTarget &device() const { return *emitter.device; }
  bool hasStatistics() { return op.getLargest() || op.getLogSumExp(); }

  static std::string textOf(const DeviceAttentionTile &tile) {
    return printSchedule("", DeviceAttentionSchedule{tile, tile});
  }

  FailureOr<std::string> deviceFunction(StringRef part, const std::string &sizes,
                                        llvm::function_ref<kernels::DeviceFunction()> build) {
    std::string name = part.str();
    std::replace(name.begin(), name.end(), ' ', '_');
    return emitter.deviceFunction(op, name + suffix, key + sizes, [&](const std::string &symbol) {
      kernel.name = symbol;
      return build();
    });
  }

  FailureOr<KeyLists> addLists(const DeviceAttentionTile &tile) {
    return KeyLists::add(emitter, op, extents, program, captures,
                         {tile.queryBlock(), [&](kernels::AttentionKernel &kernel, const std::string &key) {
                            return emitter.deviceFunction(
                                op, "key_lists", key + textOf(tile), [&](const std::string &symbol) {
                                  kernel.name = symbol;
                                  return kernels::buildDeviceKeyLists(kernel, tile, device());
                                });
                          }});
  }

  void addResults(ScoreLaunch &launch, bool isOutput) {
    if (isOutput)
      addOutput(launch);
    else
      addStatistics(launch);
  }

  ScoreLaunch::Along along(const DeviceAttentionTile &tile) const {
    return {.memberRows = kernel.memberRows ? tile.queryBlock() : 0};
  }

  void addQueries(ScoreLaunch &launch, const DeviceAttentionTile &tile) const {
    launch.addQueries(kernel.memberRows ? 1 : tile.queryBlock());
  }

  Parts addParts(int rows, int partKeys) {
    SmallVector<ir::ExtentAttr> inner;
    if (!kernel.unnormalized)
      inner.push_back(ir::ExtentAttr::get(op.getContext(), 2));
    inner.push_back(valueDepth);
    unsigned count = partsOf(partKeys);
    return {addTemporary(count, rows, inner), count};
  }

  /// The parts as a launch sees them: one per tile of its keys, or all of them if it has no such axis.
  void addParts(ScoreLaunch &launch, const Parts &parts) const {
    bool isOutput = launch.keyGrid >= 0;
    unsigned one = builder.program.number(1);
    SmallVector<program::Axis> axes;
    if (kernel.unnormalized)
      axes = {{builder.extent(valueDepth), one, 4}};
    else
      axes = {{builder.extent(valueDepth), one, 5}, {builder.program.number(2), one, 4}};
    axes.push_back(launch.rowsOfTemporary());
    axes.push_back({parts.count, one, 2, launch.keyGrid, isOutput});
    launch.addTemporary("parts", parts.buffer, axes.size() - (isOutput ? 1 : 0), isOutput, axes);
  }

  program::Launch partsLaunch(std::string function, const DeviceAttentionSchedule &schedule,
                              const Parts &parts) {
    ScoreLaunch launch(emitter, extents, std::move(function), "parts", along(schedule.few));
    addQueries(launch, schedule.few);
    launch.addKeys(schedule.fewPartKeys);
    launch.addScalars(program.readExtents());
    addInputs(launch);
    addParts(launch, parts);
    return launch.take(work());
  }
};

/// Parts have a line of two numbers.
bool mayHaveParts(ir::AttentionOp op) {
  if (!op.getValue() || givesScoresTheirLargest(op))
    return false;
  std::optional<int64_t> columns = staticValue(ir::tensorType(op.getValue()).getExtent(-1));
  return columns && *columns >= 2;
}

} // namespace

LogicalResult Emitter::emitOnDevice(ir::AttentionOp op, const Captures &captures) {
  const auto &schedule = this->schedule<DeviceAttentionSchedule>();
  ScoreProgram program(op.getBody().front(), op.getWeighing(), deriveMaskRanges(op), captures);
  bool listed = program.needsKeyLists();
  if (listed && kernels::keyBlock % schedule.block.threadsX != 0)
    return op->emitError() << "attention: threads_x is " << schedule.block.threadsX << ", a divisor of "
                           << kernels::keyBlock
                           << " is needed for a mask whose visible keys are listed; change the schedule";
  std::vector<Family> families;
  auto addFamilies = [&](std::optional<unsigned> zeroArgument, Value zero) {
    auto add = [&](int64_t atMost, auto launches) {
      families.push_back({atMost, zeroArgument, [=, this, &captures, &program] {
                            DeviceAttentionEmitter emitter(*this, op, captures, program, zero);
                            return launches(emitter);
                          }});
    };
    if (mayHaveParts(op))
      add(schedule.fewRowLimit, [&](DeviceAttentionEmitter &emitter) { return emitter.few(schedule); });
    add(-1, [&, listed](DeviceAttentionEmitter &emitter) { return emitter.rows(schedule.block, listed); });
  };
  if (auto probability = callersProbability(op.getWeighing(), op.getCaptures()))
    addFamilies(probability->argument, probability->inRegion);
  addFamilies(std::nullopt, {});
  return addStep(op.getScoreShape().end()[-2], families);
}

} // namespace heed
