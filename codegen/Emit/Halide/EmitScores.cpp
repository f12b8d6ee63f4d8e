//===- EmitScores.cpp - Scores and weights, written out -------------------===//

#include "Kernels/Device/Scores.h"
#include "ScoreLaunch.h"

using namespace mlir;

namespace heed {

LogicalResult Emitter::emit(ir::ScoresOp op) {
  Captures captures = Captures::of(op);
  if (failed(checkRegions(op)))
    return failure();
  ScoreProgram program(op.getBody().front(), op.getWeighing(), /*ranges=*/std::nullopt, captures);
  ScoreExtents extents(op);
  kernels::AttentionKernel kernel;
  kernel.types.q = elementTypeOf(op.getQuery());
  kernel.types.k = elementTypeOf(op.getKey());
  kernel.types.output = elementTypeOf(op.getResult());
  kernel.depth = staticValue(extents.depth);
  kernel.scale = op.getScale().convertToDouble();
  kernel.grouped = extents.isGrouped();
  kernel.statistics = !op.getStatistics().empty();
  kernel.nanForEmpty = op.getNanForEmpty();

  struct Form {
    std::string schedule;
    int queryBlock, keyBlock;
    std::function<FailureOr<std::string>(StringRef part, StringRef key)> function;
  };
  auto family = [&](StringRef size, const Form &form,
                    Value zeroProbability) -> FailureOr<std::vector<program::Launch>> {
    std::string part = size.str();
    if (zeroProbability)
      part += part.empty() ? "kept" : "_kept";
    kernel.program = program.functions(zeroProbability);
    std::string key = keyOf(kernel.types.q, kernel.types.k, kernel.types.output, extents.depth.str(),
                            kernel.scale, kernel.grouped, kernel.statistics, kernel.nanForEmpty,
                            bool(zeroProbability), program.text(), form.schedule);
    FailureOr<std::string> function = form.function(part, key);
    if (failed(function))
      return failure();
    ScoreLaunch launch(*this, extents, std::move(*function), part, {});
    launch.addQueries(form.queryBlock);
    launch.addKeys(form.keyBlock);
    launch.addScalars(program.readExtents());
    launch.addQueryRows("q", op.getQuery(), extents.depth);
    launch.addKeyRows("k", op.getKey(), extents.depth);
    for (auto [number, capture] : llvm::enumerate(captures.list()))
      launch.addCapture(number, capture);
    for (Value statistic : op.getStatistics())
      launch.addStatistic("statistic", statistic, /*isOutput=*/false);
    launch.addMatrix("y", op.getResult());
    auto two = ir::ExtentAttr::get(op.getContext(), 2);
    return std::vector<program::Launch>{
        launch.take(scoreWork(builder, extents, two.multiply(extents.depth)))};
  };
  auto onCpu = [&](const RowsTile &tile) {
    return Form{printSchedule("", AttentionSchedule{.rows = tile, .small = tile}), tile.queryBlock,
                tile.keyChunk, [&, tile](StringRef part, StringRef key) {
                  return tileFunction(op, part, key, [&](const std::string &symbol) {
                    kernel.name = symbol;
                    return kernels::buildScoreMatrix(kernel, tile, target);
                  });
                }};
  };
  auto onDevice = [&](const DeviceScoresSchedule &schedule) {
    const DeviceTile &tile = schedule.block;
    return Form{printSchedule("", schedule), tile.threadsY * tile.rowTile, tile.threadsX * tile.columnTile,
                [&, schedule](StringRef part, StringRef key) {
                  return deviceFunction(op, part, key, [&](const std::string &symbol) {
                    kernel.name = symbol;
                    return kernels::buildDeviceScores(kernel, schedule, *device);
                  });
                }};
  };
  std::vector<Family> families;
  auto addFamilies = [&](std::optional<unsigned> zeroArgument, Value zero) {
    auto add = [&](int64_t atMost, StringRef size, const Form &form) {
      families.push_back({atMost, zeroArgument, [=, &family] { return family(size, form, zero); }});
    };
    if (device)
      return add(-1, "", onDevice(this->schedule<DeviceScoresSchedule>()));
    const ScoresSchedule &schedule = this->schedule<ScoresSchedule>();
    add(schedule.smallLimit, "small", onCpu(schedule.small));
    add(-1, "", onCpu(schedule.block));
  };
  if (auto probability = callersProbability(op.getWeighing(), op.getCaptures()))
    addFamilies(probability->argument, probability->inRegion);
  addFamilies(std::nullopt, {});
  return addStep(extents.queries, families);
}

} // namespace heed
