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
                         const Along &along)
    : emitter(emitter), extents(extents), launch(emitter.launch(std::move(function), part)),
      rowsAreMembers(along.memberRows > 0) {
  // A device function has both axes, also where nothing lies along them.
  ir::ExtentAttr one = ir::ExtentAttr::get(extents.depth.getContext(), 1);
  if (along.batch || emitter.device)
    batchGrid = addAxis(along.batch ? extents.batch : one);
  if (along.heads || emitter.device)
    headGrid = addAxis(along.heads ? extents.keyHead : one);
  if (along.heads && extents.isGrouped())
    memberGrid = addAxis(extents.members, rowsAreMembers ? along.memberRows : 1);
}

/// The tile's first index along a grid axis; 0 along one that the launch doesn't have.
void ScoreLaunch::addScalar(int grid) {
  launch.scalars.push_back(grid < 0 ? program::Scalar{HEED_EXTENT, emitter.builder.program.number(0)}
                                    : program::Scalar{HEED_TILE_START, unsigned(grid)});
}

void ScoreLaunch::addHeadScalars() {
  addScalar(batchGrid);
  addScalar(headGrid);
  if (memberGrid < 0)
    return;
  addScalar(memberGrid);
  launch.scalars.push_back({HEED_EXTENT, emitter.builder.extent(extents.members)});
}

void ScoreLaunch::addScalars(ArrayRef<ir::ExtentAttr> readExtents) {
  if (!emitter.device) { // whose functions know where they are
    addHeadScalars();
    for (int grid : {queryGrid, keyGrid})
      if (grid >= 0)
        addScalar(grid);
  }
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

void ScoreLaunch::addRows(SmallVectorImpl<AxisUse> &uses, std::optional<int64_t> queryAxis,
                          std::optional<int64_t> headAxis) const {
  AxisUse queries{extents.queries, queryAxis, queryGrid};
  if (!rowsAreMembers) {
    uses.push_back(queries);
    return addHeads(uses, headAxis);
  }
  addHeads(uses, headAxis); // members first
  uses.push_back(queries);
}

void ScoreLaunch::addOperand(StringRef name, Value value, SmallVector<AxisUse> uses, unsigned kernelRank,
                             bool isOutput) {
  launch.operands.push_back(emitter.builder.operand(name, value, uses, kernelRank, isOutput));
}

void ScoreLaunch::addQueryRows(StringRef name, Value value, ir::ExtentAttr inner, bool isOutput) {
  int64_t rank = ir::tensorType(value).getRank();
  SmallVector<AxisUse> uses{{inner, rank - 1}};
  addRows(uses, rank - 2, headAxis(value, 2));
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
  SmallVector<AxisUse> uses{{extents.keys, rank - 1, keyGrid}};
  addRows(uses, rank - 2, headAxis(value, 2));
  uses.push_back({extents.batch, batchAxis(value, 2), batchGrid});
  addOperand(name, value, uses, 2, true);
}

void ScoreLaunch::addStatistic(StringRef name, Value value, bool isOutput) {
  SmallVector<AxisUse> uses;
  addRows(uses, ir::tensorType(value).getRank() - 1, headAxis(value, 1));
  uses.push_back({extents.batch, batchAxis(value, 1), batchGrid});
  addOperand(name, value, uses, 1, isOutput);
}

void ScoreLaunch::addSink(Value value) {
  SmallVector<AxisUse> uses;
  if (!rowsAreMembers)
    uses.push_back({ir::ExtentAttr::get(value.getContext(), 1), std::nullopt});
  addHeads(uses, 0);
  addOperand("sink", value, uses, 1, false);
}

void ScoreLaunch::addShape(Value any) {
  addOperand("shape", any,
             {{extents.keys, std::nullopt, keyGrid}, {extents.queries, std::nullopt, queryGrid}}, 2, false);
}

void ScoreLaunch::addCapture(unsigned number, const Capture &capture) {
  SmallVector<AxisUse> uses;
  unsigned kernelRank = capture.isTable() ? capture.table.size() : 2;
  if (capture.isTable()) {
    for (int64_t axis : capture.table)
      uses.push_back({ir::tensorType(capture.tensor).getExtent(axis), axis});
    addHeads(uses, capture.axes[1]);
  } else {
    uses.push_back({extents.keys, capture.axes[3], keyGrid});
    addRows(uses, capture.axes[2], capture.axes[1]);
  }
  uses.push_back({extents.batch, capture.axes[0], batchGrid});
  addOperand("capture " + std::to_string(number), capture.tensor, uses, kernelRank, false);
}

program::Axis ScoreLaunch::rowsOfTemporary() const {
  ProgramBuilder &builder = emitter.builder;
  unsigned one = builder.program.number(1);
  if (rowsAreMembers)
    return {builder.extent(extents.members), one, 1, memberGrid};
  return {builder.extent(extents.queries), one, 3, queryGrid};
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
  if (rowsAreMembers)
    operand.axes.push_back({builder.extent(extents.queries), one, 3, queryGrid});
  else if (memberGrid >= 0)
    operand.axes.push_back({builder.extent(extents.members), one, axis(1), memberGrid});
  if (headGrid >= 0)
    operand.axes.push_back(
        {builder.extent(extents.keyHead), builder.extent(extents.members), axis(1), headGrid});
  if (batchGrid >= 0)
    operand.axes.push_back({builder.extent(extents.batch), one, axis(0), batchGrid});
  launch.operands.push_back(std::move(operand));
}

void ScoreLaunch::addKeyTemporary(StringRef name, unsigned buffer, ArrayRef<program::Axis> axes) {
  const unsigned kernelRank = axes.size() - 2;
  launch.operands.push_back({name.str(), buffer, kernelRank, false, SmallVector<program::Axis>(axes)});
  launch.operands.back().axes[kernelRank].grid = headGrid;
  launch.operands.back().axes[kernelRank + 1].grid = batchGrid;
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
