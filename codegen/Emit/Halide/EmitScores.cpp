//===- EmitScores.cpp - Scores and weights, written out -------------------===//

#include "Kernels/Device/Scores.h"
#include "ScoreLaunch.h"

using namespace mlir;

namespace heed {
namespace {

using Launches = FailureOr<std::vector<program::Launch>>;

class ScoresEmitter {
public:
  /// `zeroProbability` is a dropout's probability that is known to be 0.
  ScoresEmitter(Emitter &emitter, ir::ScoresOp op, const Captures &captures, const ScoreProgram &program,
                Value zeroProbability)
      : emitter(emitter), op(op), captures(captures), program(program), extents(op) {
    kernel.types.q = elementTypeOf(op.getQuery());
    kernel.types.k = elementTypeOf(op.getKey());
    kernel.types.output = elementTypeOf(op.getResult());
    kernel.depth = staticValue(extents.depth);
    kernel.scale = op.getScale().convertToDouble();
    kernel.program = program.functions(zeroProbability);
    kernel.grouped = extents.isGrouped();
    kernel.statistics = !op.getStatistics().empty();
    kernel.nanForEmpty = op.getNanForEmpty();
    key = keyOf(kernel.types.q, kernel.types.k, kernel.types.output, extents.depth.str(), kernel.scale,
                kernel.grouped, kernel.statistics, kernel.nanForEmpty, bool(zeroProbability), program.text());
    if (zeroProbability)
      suffix = "kept";
  }

  Launches onCpu(StringRef size, const RowsTile &tile) {
    const std::string part = partOf(size);
    return launches(part, tile.queryBlock, tile.keyChunk,
                    emitter.tileFunction(
                        op, part, key + printSchedule("", AttentionSchedule{.rows = tile, .small = tile}),
                        [&](const std::string &symbol) {
                          kernel.name = symbol;
                          return kernels::buildScoreMatrix(kernel, tile, emitter.target);
                        }));
  }

  Launches onDevice(const DeviceScoresSchedule &schedule) {
    const DeviceTile &tile = schedule.block;
    return launches(
        suffix, tile.threadsY * tile.rowTile, tile.threadsX * tile.columnTile,
        emitter.deviceFunction(op, suffix, key + printSchedule("", schedule), [&](const std::string &symbol) {
          kernel.name = symbol;
          return kernels::buildDeviceScores(kernel, schedule, *emitter.device);
        }));
  }

private:
  std::string partOf(StringRef size) const {
    return size.empty() ? suffix : suffix.empty() ? size.str() : size.str() + "_" + suffix;
  }

  Launches launches(const std::string &part, int queryBlock, int keyBlock, FailureOr<std::string> function) {
    if (failed(function))
      return failure();
    ScoreLaunch launch(emitter, extents, std::move(*function), part, {});
    launch.addQueries(queryBlock);
    launch.addKeys(keyBlock);
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
        launch.take(scoreWork(emitter.builder, extents, two.multiply(extents.depth)))};
  }

  Emitter &emitter;
  ir::ScoresOp op;
  const Captures &captures;
  const ScoreProgram &program;
  ScoreExtents extents;
  kernels::AttentionKernel kernel;
  std::string key, suffix;
};

} // namespace

LogicalResult Emitter::emit(ir::ScoresOp op) {
  Captures captures = Captures::of(op);
  if (failed(checkRegions(op)))
    return failure();
  ScoreProgram program(op.getBody().front(), op.getWeighing(), /*ranges=*/std::nullopt, captures);
  std::vector<Family> families;
  auto addFamilies = [&](std::optional<unsigned> zeroArgument, Value zero) {
    auto add = [&](int64_t atMost, auto launches) {
      families.push_back({atMost, zeroArgument, [=, this, &captures, &program] {
                            ScoresEmitter emitter(*this, op, captures, program, zero);
                            return launches(emitter);
                          }});
    };
    if (device)
      return add(-1, [this](ScoresEmitter &emitter) {
        return emitter.onDevice(this->schedule<DeviceScoresSchedule>());
      });
    const ScoresSchedule &schedule = this->schedule<ScoresSchedule>();
    add(schedule.smallLimit,
        [&schedule](ScoresEmitter &emitter) { return emitter.onCpu("small", schedule.small); });
    add(-1, [&schedule](ScoresEmitter &emitter) { return emitter.onCpu("", schedule.block); });
  };
  if (auto probability = callersProbability(op.getWeighing(), op.getCaptures()))
    addFamilies(probability->argument, probability->inRegion);
  addFamilies(std::nullopt, {});
  return addStep(op.getScoreShape().end()[-2], families);
}

} // namespace heed
