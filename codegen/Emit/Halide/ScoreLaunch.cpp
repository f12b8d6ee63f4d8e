//===- ScoreLaunch.cpp - Launches over queries and keys -------------------===//

#include "ScoreLaunch.h"

using namespace mlir;

namespace heed {

ScoreExtents::ScoreExtents(ArrayRef<ir::ExtentAttr> shape, ir::ExtentAttr members, ir::ExtentAttr depth)
    : batch(ir::ExtentAttr::get(depth.getContext(), 1)), head(batch), depth(depth), members(members) {
  size_t leading = shape.size() - 2;
  hasHead = leading == 2;
  if (leading > 0)
    batch = shape[0];
  if (hasHead)
    head = shape[1];
  queries = shape[leading];
  keys = shape[leading + 1];
  keyHead = head.divide(members);
}

ScoreLaunch::ScoreLaunch(Emitter &emitter, const ScoreExtents &extents, std::string function, StringRef part,
                         bool alongBatch, bool alongHeads)
    : emitter(emitter), extents(extents), launch(emitter.launch(std::move(function), part)) {
  if (alongBatch)
    batchGrid = addAxis(extents.batch);
  if (alongHeads)
    headGrid = addAxis(extents.keyHead);
  if (alongHeads && extents.isGrouped())
    memberGrid = addAxis(extents.members);
}

void ScoreLaunch::addScalars(ArrayRef<ir::ExtentAttr> readExtents) {
  auto add = [&](int grid) {
    launch.scalars.push_back(grid < 0 ? program::Scalar{HEED_EXTENT, emitter.builder.program.number(0)}
                                      : program::Scalar{HEED_TILE_START, unsigned(grid)});
  };
  add(batchGrid);
  add(headGrid);
  if (memberGrid >= 0) {
    add(memberGrid);
    launch.scalars.push_back({HEED_EXTENT, emitter.builder.extent(extents.members)});
  }
  for (int grid : {queryGrid, keyGrid})
    if (grid >= 0)
      add(grid);
  for (ir::ExtentAttr extent : readExtents)
    launch.scalars.push_back({HEED_EXTENT, emitter.builder.extent(extent)});
}

std::optional<int64_t> ScoreLaunch::batchAxis(Value value, int64_t trailing) const {
  return leadingAxis(value, trailing, extents.hasHead);
}

std::optional<int64_t> ScoreLaunch::headAxis(Value value, int64_t trailing) const {
  return extents.hasHead ? leadingAxis(value, trailing, 0) : std::nullopt;
}

void ScoreLaunch::addHeads(SmallVectorImpl<AxisUse> &uses, std::optional<int64_t> axis) const {
  if (!extents.isGrouped())
    return uses.push_back({extents.head, axis, headGrid});
  uses.push_back({extents.members, axis, memberGrid});
  uses.push_back({extents.keyHead, axis, headGrid, extents.members});
}

void ScoreLaunch::addOperand(StringRef name, Value value, SmallVector<AxisUse> uses, unsigned kernelRank,
                             bool isOutput) {
  launch.operands.push_back(emitter.builder.operand(name, value, uses, kernelRank, isOutput));
}

void ScoreLaunch::addQueryRows(StringRef name, Value value, ir::ExtentAttr inner, bool isOutput) {
  int64_t rank = ir::tensorType(value).getRank();
  SmallVector<AxisUse> uses{{inner, rank - 1}, {extents.queries, rank - 2, queryGrid}};
  addHeads(uses, headAxis(value, 2));
  uses.push_back({extents.batch, batchAxis(value, 2), batchGrid});
  addOperand(name, value, uses, 2, isOutput);
}

void ScoreLaunch::addKeyRows(StringRef name, Value value, ir::ExtentAttr inner) {
  int64_t rank = ir::tensorType(value).getRank();
  addOperand(name, value,
             {{inner, rank - 1},
              {extents.keys, rank - 2, keyGrid},
              {extents.keyHead, headAxis(value, 2), headGrid},
              {extents.batch, batchAxis(value, 2), batchGrid}},
             2, false);
}

void ScoreLaunch::addMatrix(StringRef name, Value value) {
  int64_t rank = ir::tensorType(value).getRank();
  SmallVector<AxisUse> uses{{extents.keys, rank - 1, keyGrid}, {extents.queries, rank - 2, queryGrid}};
  addHeads(uses, headAxis(value, 2));
  uses.push_back({extents.batch, batchAxis(value, 2), batchGrid});
  addOperand(name, value, uses, 2, true);
}

void ScoreLaunch::addStatistic(StringRef name, Value value, bool isOutput) {
  SmallVector<AxisUse> uses{{extents.queries, ir::tensorType(value).getRank() - 1, queryGrid}};
  addHeads(uses, headAxis(value, 1));
  uses.push_back({extents.batch, batchAxis(value, 1), batchGrid});
  addOperand(name, value, uses, 1, isOutput);
}

void ScoreLaunch::addSink(Value value) {
  auto one = ir::ExtentAttr::get(value.getContext(), 1);
  SmallVector<AxisUse> uses{{one, std::nullopt}};
  addHeads(uses, 0);
  addOperand("sink", value, uses, 1, false);
}

void ScoreLaunch::addShape(Value any) {
  addOperand("shape", any,
             {{extents.keys, std::nullopt, keyGrid}, {extents.queries, std::nullopt, queryGrid}}, 2, false);
}

void ScoreLaunch::addCapture(unsigned number, const Capture &capture) {
  SmallVector<AxisUse> uses;
  if (capture.isTable())
    for (int64_t axis : capture.table)
      uses.push_back({ir::tensorType(capture.tensor).getExtent(axis), axis});
  else
    uses = {{extents.keys, capture.axes[3], keyGrid}, {extents.queries, capture.axes[2], queryGrid}};
  unsigned kernelRank = uses.size();
  addHeads(uses, capture.axes[1]);
  uses.push_back({extents.batch, capture.axes[0], batchGrid});
  addOperand("capture " + std::to_string(number), capture.tensor, uses, kernelRank, false);
}

void ScoreLaunch::addTemporary(StringRef name, unsigned buffer, unsigned kernelRank, bool isOutput,
                               ArrayRef<program::Axis> others) {
  ProgramBuilder &builder = emitter.builder;
  unsigned one = builder.program.number(1);
  program::Operand operand{name.str(), buffer, kernelRank, isOutput, SmallVector<program::Axis>(others)};
  // Key lists may be shared by all heads or batch entries.
  auto axis = [&, shape = builder.program.bufferExtents(buffer)](int number) {
    return shape[number] == one ? -1 : number;
  };
  if (memberGrid >= 0)
    operand.axes.push_back({builder.extent(extents.members), one, axis(1), memberGrid});
  if (headGrid >= 0)
    operand.axes.push_back(
        {builder.extent(extents.keyHead), builder.extent(extents.members), axis(1), headGrid});
  if (batchGrid >= 0)
    operand.axes.push_back({builder.extent(extents.batch), one, axis(0), batchGrid});
  launch.operands.push_back(std::move(operand));
}

program::Launch ScoreLaunch::take(unsigned work) {
  launch.work = work;
  return std::move(launch);
}

unsigned scoreWork(ProgramBuilder &builder, const ScoreExtents &extents, ir::ExtentAttr perScore) {
  ir::ExtentAttr product = perScore;
  for (ir::ExtentAttr axis : {extents.batch, extents.head, extents.queries, extents.keys})
    product = product.multiply(axis);
  return builder.extent(product);
}

} // namespace heed
