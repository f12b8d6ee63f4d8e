//===- EmitScores.cpp - Scores and weights, written out -------------------===//

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

  auto family = [&](StringRef size, const RowsTile &tile,
                    Value zeroProbability) -> FailureOr<std::vector<program::Launch>> {
    std::string part = size.str();
    if (zeroProbability)
      part += part.empty() ? "kept" : "_kept";
    kernel.program = program.functions(zeroProbability);
    std::string key =
        keyOf(kernel.types.q, kernel.types.k, kernel.types.output, extents.depth.str(), kernel.scale,
              kernel.grouped, kernel.statistics, kernel.nanForEmpty, bool(zeroProbability), program.text(),
              printSchedule("", AttentionSchedule{.rows = tile, .small = tile}));
    FailureOr<std::string> function = tileFunction(op, part, key, [&](const std::string &symbol) {
      kernel.name = symbol;
      return kernels::buildScoreMatrix(kernel, tile, target);
    });
    if (failed(function))
      return failure();
    ScoreLaunch launch(*this, extents, std::move(*function), part, {});
    launch.addQueries(tile.queryBlock);
    launch.addKeys(tile.keyChunk);
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
  const ScoresSchedule &schedule = this->schedule<ScoresSchedule>();
  std::vector<Family> families;
  auto addFamilies = [&](std::optional<unsigned> zeroArgument, Value zero) {
    families.push_back({schedule.smallLimit, zeroArgument,
                        [=, &family, &schedule] { return family("small", schedule.small, zero); }});
    families.push_back(
        {-1, zeroArgument, [=, &family, &schedule] { return family("", schedule.block, zero); }});
  };
  if (auto probability = callersProbability(op.getWeighing(), op.getCaptures()))
    addFamilies(probability->argument, probability->inRegion);
  addFamilies(std::nullopt, {});
  return addStep(extents.queries, families);
}

} // namespace heed
