//===- Captures.cpp - Tensors that a region reads -------------------------===//

#include "Captures.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace heed {
namespace {

/// Whether every position along an axis of extent `position` lies in a tensor's axis of extent `axis`, or the
/// axis is broadcast.
bool covers(ir::ExtentAttr axis, ir::ExtentAttr position) {
  bool isLongEnough = axis.isStatic() && position.isStatic() && axis.getValue() >= position.getValue();
  return axis == position || axis.isOne() || isLongEnough;
}

/// Captures come last in a region's arguments.
Value captured(ir::ElementOp element, ValueRange tensors) {
  auto argument = cast<BlockArgument>(element.getTensor());
  unsigned arguments = argument.getOwner()->getNumArguments();
  return tensors[argument.getArgNumber() - (arguments - tensors.size())];
}

/// An index that is always 0, along an axis that has a 0.
bool isFirst(ir::ExtentAttr extent, Value index) {
  return extent.isOne() || (extent.isStatic() && extent.getValue() > 0 && matchPattern(index, m_Zero()));
}

} // namespace

Capture Captures::capture(ir::ElementOp element, Value tensor, const Positions &positions) {
  Capture capture{tensor, {}, {}};
  capture.axes.resize(positions.extents.size());
  SmallVector<int64_t> inTile; // axes that run with a position within the tile
  bool isTable = false;
  for (auto [axis, index] : llvm::enumerate(element.getIndices())) {
    ir::ExtentAttr extent = ir::tensorType(tensor).getExtent(axis);
    if (isFirst(extent, index))
      continue;
    std::optional<unsigned> position = positions.of(index);
    if (!position || capture.axes[*position] || !covers(extent, positions.extents[*position])) {
      isTable = true;
      capture.table.push_back(axis);
      continue;
    }
    capture.axes[*position] = axis;
    if (*position >= positions.firstInTile)
      inTile.push_back(axis);
  }
  if (std::optional<int64_t> innermost = capture.axes.empty() ? std::nullopt : capture.axes.back())
    isTable |= positions.isInnermostDense && *innermost != ir::tensorType(tensor).getRank() - 1;
  if (!isTable)
    return capture;
  // Within the tile, a table has no position: all of its axes are indexed.
  llvm::append_range(capture.table, inTile);
  std::fill(capture.axes.begin() + positions.firstInTile, capture.axes.end(), std::nullopt);
  llvm::sort(capture.table, std::greater<>());
  return capture;
}

void Captures::add(Block &region, ValueRange tensors, const Positions &positions) {
  for (auto element : region.getOps<ir::ElementOp>()) {
    Capture made = capture(element, captured(element, tensors), positions);
    auto *known = llvm::find(captures, made);
    numbers[element] = known - captures.begin();
    if (known == captures.end())
      captures.push_back(made);
  }
}

static std::optional<unsigned> scorePosition(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  return argument ? std::optional(argument.getArgNumber() - ir::AttentionOp::batchAt) : std::nullopt;
}

/// With one leading axis it is b, with none both b and h are 0.
static SmallVector<ir::ExtentAttr> scoreExtents(SmallVector<ir::ExtentAttr, 4> shape) {
  shape.insert(shape.end() - 2, 4 - shape.size(), ir::ExtentAttr::get(shape.front().getContext(), 1));
  return SmallVector<ir::ExtentAttr>(shape.begin(), shape.end());
}

Captures Captures::of(ir::AttentionOp op) { return ofScores(op); }

Captures Captures::of(ir::ScoresOp op) { return ofScores(op); }

template <typename Op> Captures Captures::ofScores(Op op) {
  Captures captures;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      captures.add(block, op.getCaptures(),
                   {scoreExtents(op.getScoreShape()), 2, /*isInnermostDense=*/true, scorePosition});
  return captures;
}

Captures Captures::of(ir::MapOp op, size_t tileRank) { return ofElements(op, op.getCaptures(), tileRank); }

Captures Captures::of(ir::LinearOp op, size_t tileRank) { return ofElements(op, op.getCaptures(), tileRank); }

Captures Captures::ofElements(Operation *op, ValueRange tensors, size_t tileRank) {
  auto positionOf = [](Value index) -> std::optional<unsigned> {
    auto position = index.getDefiningOp<ir::PositionOp>();
    return position ? std::optional<unsigned>(position.getAxis()) : std::nullopt;
  };
  SmallVector<ir::ExtentAttr> shape(ir::tensorType(op->getResult(0)).getShape());
  size_t firstInTile = shape.size() - std::min(tileRank, shape.size());
  Captures captures;
  for (Block &block : op->getRegion(0))
    captures.add(block, tensors, {shape, firstInTile, /*isInnermostDense=*/false, positionOf});
  return captures;
}

} // namespace heed
